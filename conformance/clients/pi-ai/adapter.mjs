/** pi-ai: the stream of its Chat Completions provider; `complete()` streams as well, so there is one mode. */

import { load, serve } from "../shared/line_protocol.mjs";

const { stream } = await load(() => import("@mariozechner/pi-ai"));

const ANY_MODEL = {
  name: "made up",
  api: "openai-completions",
  provider: "case",
  reasoning: false,
  input: ["text"],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 100_000,
  maxTokens: 1_000,
};

async function drive(ask, outcome) {
  const { model: id, messages, tools } = ask.request;
  const context = {
    messages: [{ role: "user", content: messages.at(-1).content, timestamp: 0 }],
    tools: (tools ?? []).map(({ function: { name, description, parameters } }) => ({
      name,
      description: description ?? name,
      parameters,
    })),
  };
  const model = { ...ANY_MODEL, id, baseUrl: ask.base_url };
  const message = await stream(model, context, { apiKey: ask.api_key, maxRetries: 0 }).result();
  outcome.finishReason = message.stopReason;
  if (message.stopReason === "error") throw new Error(message.errorMessage); // how it tells of failures
  for (const block of message.content) {
    if (block.type === "text") outcome.content = (outcome.content ?? "") + block.text;
    if (block.type === "toolCall") outcome.call(block.id, block.name, block.arguments);
  }
}

await serve("pi-ai", "@mariozechner/pi-ai", drive, { packages: ["openai"], modes: ["stream"] });
