// Plays a game of Stone Hand through the types that openapi-typescript generates and openapi-fetch.
//
//     node play.js ADDRESS TOKEN HOUSE

import { strict as assert } from "node:assert";
import { randomUUID } from "node:crypto";
import { setTimeout as rest } from "node:timers/promises";

import createClient from "openapi-fetch";

import type { components, paths } from "./schema.js";

type Command = components["schemas"]["Command"];
type State = components["schemas"]["State"];
type Table = components["schemas"]["TableRow"];
type Tables = components["schemas"]["PaginatedTableRowList"];

const PATIENCE = 180_000; // milliseconds for what is played to be booked
const [address, token, house] = process.argv.slice(2);
assert(address && token && house);
const client = createClient<paths>({
  baseUrl: address,
  headers: { Authorization: `Bearer ${token}` },
});

function got<Data, Failure>(answer: { data?: Data; error?: Failure }): Data {
  if (answer.data === undefined) throw new Error(JSON.stringify(answer.error));
  return answer.data;
}

function thrown(player: string, ...dice: number[]): Command {
  return { do: "throw", player, dice, command_id: randomUUID() };
}

async function put(game: string, body: Command | Command[]) {
  return client.POST("/api/v1/games/{game}/commands/", { params: { path: { game } }, body });
}

async function lookAtOdds(): Promise<void> {
  const answers = [
    await client.GET("/api/v1/odds/stone-hand/"),
    await client.GET("/api/v1/odds/cinnabar-gate/", { params: { query: { arcade_points: "1" } } }),
    await client.GET("/api/v1/odds/river/"),
    await client.GET("/api/v1/odds/threes-away/"),
    await client.GET("/api/v1/odds/dice-breaker/"),
  ];
  assert.deepEqual(
    answers.map((answer) => got(answer).game),
    ["stone-hand", "cinnabar-gate", "river", "threes-away", "dice-breaker"],
  );
}

// Sent twice, it is opened once.
async function openGame(table: string): Promise<string> {
  const body = {
    game: "stone-hand",
    players: ["Ada", "Bruno", "Cleo"],
    stake: 25,
    table,
    command_id: randomUUID(),
  };
  const first = got(await client.POST("/api/v1/games/", { body }));
  const again = got(await client.POST("/api/v1/games/", { body }));
  assert.deepEqual(first, again);
  return first.id;
}

async function play(game: string): Promise<void> {
  const throwOfAda = thrown("Ada", 2, 2, 3);
  assert.deepEqual(got(await put(game, throwOfAda)), got(await put(game, throwOfAda)));

  const early = await put(game, thrown("Cleo", 1, 1, 5));
  assert.equal(early.error?.code, "not_your_turn");
  const otherForm = await put(game, {
    do: "throw",
    player: "Bruno",
    die: "Bruno1",
    value: 3,
    command_id: randomUUID(),
  });
  assert.equal(otherForm.error?.status, 422);

  const done = got(await put(game, [thrown("Bruno", 3, 3, 4), thrown("Cleo", 1, 1, 5)]));
  assert("done" in done && done.done === 2);
}

async function state(game: string): Promise<State> {
  return got(await client.GET("/api/v1/games/{game}/", { params: { path: { game } } }));
}

async function lookAtGame(game: string): Promise<void> {
  const now = await state(game);
  assert.deepEqual(now.throws.map((each) => each.player), ["Ada", "Bruno", "Cleo"]);
  assert.equal(Object.values(now.stakes).reduce((sum, stake) => sum + stake, now.pot), 75);
  assert.deepEqual(now.rounds[0]?.losers, ["Cleo"]);
  const events = got(
    await client.GET("/api/v1/games/{game}/events/", {
      params: { path: { game }, query: { after: 1, limit: 2 } },
    }),
  );
  assert.deepEqual(events.results.map((each) => each.number), [2, 3]);
  const explained = got(
    await client.GET("/api/v1/games/{game}/explain/{round_no}/", {
      params: { path: { game, round_no: 1 } },
    }),
  );
  assert(explained.payments.every((payment) => payment.from === "Cleo"));
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + PATIENCE;
  while (!(await holds())) {
    assert(Date.now() < end, "It did not come to hold.");
    await rest(200);
  }
}

async function endGame(game: string): Promise<void> {
  got(await put(game, { do: "close", command_id: randomUUID() }));
  await until(async () => {
    const now = await state(game);
    return now.settled_through >= now.position;
  });
  got(await put(game, { do: "cash_out", player: "Ada", amount: 25, command_id: randomUUID() }));
}

async function lookAtLists(establishment: string, game: string): Promise<void> {
  const query = { establishment, status: "closed", limit: 1 } as const;
  await until(async () => {
    const games = got(await client.GET("/api/v1/games/", { params: { query } }));
    return games.results[0]?.id === game;
  });
  const path = { establishment };
  const payouts = got(
    await client.GET("/api/v1/establishments/{establishment}/payouts/", {
      params: { path, query: { game } },
    }),
  );
  assert.deepEqual(new Set(payouts.results.map((each) => each.payer)), new Set(["pot"]));
  assert.equal(payouts.results.reduce((sum, each) => sum + each.amount, 0), 5);
  const answer = await fetch(`${address}/api/v1/games/?sate=closed`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  const refusal = (await answer.json()) as components["schemas"]["Problem"];
  assert.deepEqual([refusal.status, refusal.field], [400, "sate"]);
}

// Page by page.
async function tables(establishment: string): Promise<Table[]> {
  const found: Table[] = [];
  let cursor: string | undefined;
  do {
    const page: Tables = got(
      await client.GET("/api/v1/establishments/{establishment}/tables/", {
        params: { path: { establishment }, query: { limit: 1, cursor } },
      }),
    );
    found.push(...page.results);
    cursor = page.next ? (new URL(page.next).searchParams.get("cursor") ?? undefined) : undefined;
  } while (cursor !== undefined);
  return found;
}

const here = await tables(house);
assert.equal(new Set(here.map((each) => each.id)).size, 2);
const free = here.find((each) => each.game === null);
assert(free);
await lookAtOdds();
const game = await openGame(free.id);
await play(game);
await lookAtGame(game);
await endGame(game);
await lookAtLists(house, game);
