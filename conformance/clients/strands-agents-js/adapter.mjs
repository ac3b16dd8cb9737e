/** Strands Agents for JavaScript: `OpenAIModel.streamAggregated()`, which its agents use; it always streams. */

import { load, serve } from "../shared/line_protocol.mjs";

const { Message, TextBlock } = await load(() => import("@strands-agents/sdk"));
const { OpenAIModel } = await load(() => import("@strands-agents/sdk/models/openai"));

async function drive(ask, outcome) {
  const { model: modelId, messages, tools } = ask.request;
  const clientConfig = { baseURL: ask.base_url, maxRetries: 0 };
  const model = new OpenAIModel({ api: "chat", modelId, apiKey: ask.api_key, clientConfig });
  const toolSpecs = (tools ?? []).map(({ function: { name, description, parameters } }) => ({
    name,
    description: description ?? name,
    inputSchema: parameters,
  }));
  const said = new Message({ role: "user", content: [new TextBlock(messages.at(-1).content)] });
  const events = model.streamAggregated([said], { toolSpecs });
  let step = await events.next();
  while (!step.done) step = await events.next();
  outcome.finishReason = step.value.stopReason;
  for (const block of step.value.message.content) {
    if (block.type === "textBlock") outcome.content = (outcome.content ?? "") + block.text;
    if (block.type === "toolUseBlock") outcome.call(block.toolUseId, block.name, block.input);
  }
}

await serve("strands-agents-js", "@strands-agents/sdk", drive, { packages: ["openai"], modes: ["stream"] });
