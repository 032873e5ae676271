// A page on which people sign in, by password or PIN: whoever was here before has gone, and their pages with them.
window.floor.store.forget().catch(() => {}); // a browser that keeps nothing has nothing to forget
