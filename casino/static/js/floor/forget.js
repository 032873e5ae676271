// The page on which people sign in: whoever was here before has gone, and their pages with them.
window.floor.store.forget().catch(() => {}); // a browser that keeps nothing has nothing to forget
