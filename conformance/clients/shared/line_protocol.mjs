/**
 * The loop of a client adapter: cases on standard input, outcomes on standard output, JSON Lines.
 *
 * The twin of line_protocol.py: an adapter says hello, then answers one line per case, in order, until standard input
 * ends; see protocol.schema.json. Whatever a library prints goes to standard error, so that it cannot be taken for an
 * answer. No dependencies.
 */

import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const PROTOCOL = "conformance/client/1";
const CANNOT_RUN = 3;

const adapter = createRequire(process.argv[1]);
const answer = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);

let whenStray = tooLate;
process.on("uncaughtException", (problem) => whenStray(problem));
process.on("unhandledRejection", (problem) => whenStray(problem));

/** What a library made of one answer, filled while it is driven, so that what came before an error is kept. */
export class Outcome {
  /** Calls that it hands its user to be run, exactly as it hands them over. */
  calls = [];
  /** Calls that it reports as not to be run. */
  invalid = [];
  /** As it hands them over; null if it does not. */
  content = null;
  finishReason = null;

  /** Add a call to be run; `args` is the text or the value that the library gives. */
  call(id, name, args) {
    this.calls.push({ id: id ?? null, name: name ?? null, arguments: args ?? null });
  }

  /** Add a call that the library reports as not to be run. */
  refused(id, name, args, why) {
    this.invalid.push({ id: id ?? null, name: name ?? null, arguments: args ?? null, why: String(why) });
  }
}

/**
 * Load what the adapter drives, after the adapter has set its environment.
 *
 * @param {() => Promise<object>} imports for instance `() => import("openai")`.
 * @returns {Promise<object>} the module; where it cannot be had, the process says why in one sentence and exits 3.
 */
export async function load(imports) {
  try {
    return await imports();
  } catch (problem) {
    const missing = problem?.code === "ERR_MODULE_NOT_FOUND";
    const advice = missing ? "run `npm ci --ignore-scripts` beside adapter.mjs" : "take another release of Node.js";
    return cannotRun(`Node.js ${process.version} cannot load the library (${firstLine(problem)}); ${advice}`);
  }
}

/**
 * Answer cases until standard input ends.
 *
 * @param {string} name of the client; that of its folder.
 * @param {string} library the npm package whose version is the client's; "" for the Node.js in use.
 * @param {(ask: object, outcome: Outcome) => Promise<void>} drive makes the library send one case and fills the
 *   outcome; what it throws is what the library threw.
 * @param {{packages?: string[], modes?: string[]}} more further packages to name in the greeting; the modes that the
 *   library can ask for.
 */
export async function serve(name, library, drive, { packages = [], modes = ["stream", "complete"] } = {}) {
  const versions = Object.fromEntries(packages.map((one) => [one, versionOf(one)]).filter(([, found]) => found));
  const version = library ? versionOf(library) : process.versions.node;
  if (!version) cannotRun(`${library} is not installed; run \`npm ci --ignore-scripts\` beside adapter.mjs`);
  say({ protocol: PROTOCOL, name, version, modes, packages: versions });
  for await (const line of lines(process.stdin)) {
    const ask = JSON.parse(line);
    const outcome = new Outcome();
    let error = null;
    try {
      await orStray(() => drive(ask, outcome));
    } catch (problem) {
      error = { type: typeOf(problem), message: String(problem?.message ?? problem).slice(0, 2000) };
    }
    const { calls, invalid, content, finishReason } = outcome;
    say({ case: ask.case, calls, invalid, content: content ?? null, finish_reason: finishReason ?? null, error });
  }
  answer("", () => process.exit(0)); // connections that a library keeps open would hold the process
}

/** Wait for what a library is doing; an error that nobody could catch would end its user's process, so it counts. */
async function orStray(work) {
  const stray = new Promise((_, reject) => {
    whenStray = reject;
  });
  try {
    await Promise.race([work().then(() => new Promise(setImmediate)), stray]);
  } finally {
    whenStray = tooLate;
  }
}

function tooLate(problem) {
  console.error("After the answer:", problem);
}

/** Lines of a stream, split at "\n" alone: node:readline also splits at U+2028, which JSON may hold. */
async function* lines(stream) {
  let rest = "";
  for await (const piece of stream.setEncoding("utf8")) {
    const parts = (rest + piece).split("\n");
    rest = parts.pop();
    yield* parts;
  }
  if (rest) yield rest;
}

function say(line) {
  const shown = (_, value) => (typeof value === "bigint" ? String(value) : value);
  answer(`${JSON.stringify(line, shown)}\n`);
}

function cannotRun(why) {
  process.stderr.write(`${why}.\n`);
  process.exit(CANNOT_RUN);
}

/** The version of an installed package, "" if it is not there; read as a file, since few packages export theirs. */
function versionOf(library) {
  const places = adapter.resolve.paths(library).map((place) => path.join(place, library, "package.json"));
  const found = places.find((place) => existsSync(place));
  return found ? JSON.parse(readFileSync(found, "utf8")).version : "";
}

/** The name of an error's class; many libraries leave `name` at "Error". */
function typeOf(problem) {
  if (!(problem instanceof Error)) return typeof problem;
  return problem.name === "Error" ? problem.constructor.name : problem.name;
}

function firstLine(problem) {
  return String(problem?.message ?? problem).split("\n")[0];
}
