/** LlamaIndex for JavaScript: `OpenAI.exec()`, which runs the tools, streamed and not. */

import { load, serve } from "../shared/line_protocol.mjs";

const { OpenAI } = await load(() => import("@llamaindex/openai"));

async function drive(ask, outcome) {
  const { model, messages, tools } = ask.request;
  const llm = new OpenAI({ model, baseURL: ask.base_url, apiKey: ask.api_key, maxRetries: 0 });
  const inputs = [];
  const recording = ({ function: { name, description, parameters } }) => ({
    metadata: { name, description: description ?? name, parameters },
    call: (input) => {
      inputs.push(input);
      return "done";
    },
  });
  const stream = ask.mode === "stream";
  const done = await llm.exec({
    messages: [{ role: "user", content: messages.at(-1).content }],
    tools: (tools ?? []).map(recording),
    stream,
  });
  if (stream) for await (const _ of done.stream);
  report(stream ? done.newMessages() : done.newMessages, inputs, outcome);
}

/** The messages of the turn: the calls asked for, and a result with its id for each; a tool gets the input alone. */
function report(messages, inputs, outcome) {
  const asked = messages.flatMap(({ options }) => options?.toolCall ?? []);
  for (const { role, content, options } of messages) {
    if (role === "assistant") outcome.content = content;
    if (!options?.toolResult) continue;
    const { id, name, isError, result } = options.toolResult;
    if (isError) outcome.refused(id, name, asked.find((call) => call.id === id)?.input, result);
    else outcome.call(id, name, inputs.shift());
  }
}

await serve("llamaindex-js", "@llamaindex/openai", drive, { packages: ["@llamaindex/core"] });
