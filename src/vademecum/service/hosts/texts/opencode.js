// Memory for OpenCode, put here by `vade install opencode`; `vade uninstall opencode` removes it.
// It only passes events on to the program below; whatever fails there, OpenCode goes on.
import { spawn } from "node:child_process"

const COMMAND = ["vade", "hook", "opencode"]
const SECONDS = 10
const MARK = "<!-- vade:recall"

function hook(event, fields) {
  return new Promise((resolve) => {
    let text = ""
    let child
    try {
      child = spawn(COMMAND[0], [...COMMAND.slice(1), event], { stdio: ["pipe", "pipe", "ignore"] })
    } catch {
      return resolve("")
    }
    const late = setTimeout(() => child.kill(), SECONDS * 1000)
    child.stdout.on("data", (part) => (text += part))
    child.stdin.on("error", () => {})
    child.on("error", () => resolve(""))
    child.on("close", () => {
      clearTimeout(late)
      try {
        resolve(JSON.parse(text).additionalContext ?? "")
      } catch {
        resolve("")
      }
    })
    child.stdin.end(JSON.stringify(fields))
  })
}

// How the window of a session stands: what it opens with is kept in its messages, so they say it.
async function standing(client, sessionID) {
  const session = await client.session.get({ path: { id: sessionID } })
  if (session.data?.parentID) return "inner"
  const messages = await client.session.messages({ path: { id: sessionID } })
  let source = "startup"
  for (const { info, parts } of messages.data ?? []) {
    if (info.role === "assistant" && info.summary) source = "compact"
    if (parts.some((part) => part.synthetic && part.text?.startsWith(MARK))) source = "resume"
  }
  return source
}

export const Vademecum = async ({ client, directory }) => {
  const opened = new Map() // by session: its standing, as long as it is "resume" or "inner"
  const spoken = new Map() // by session: the newest message of the model
  const texts = new Map() // by message: the newest form of each part

  return {
    event: async ({ event }) => {
      const about = event.properties ?? {}
      if (event.type === "session.compacted") {
        opened.delete(about.sessionID)
      } else if (event.type === "message.updated" && about.info?.role === "assistant") {
        spoken.set(about.info.sessionID, about.info.id)
      } else if (event.type === "message.part.updated" && about.part?.type === "text") {
        const parts = texts.get(about.part.messageID) ?? new Map()
        parts.set(about.part.id, about.part.text)
        texts.set(about.part.messageID, parts)
      } else if (event.type === "session.idle") {
        const sessionID = about.sessionID
        const messageID = spoken.get(sessionID)
        const text = [...(texts.get(messageID)?.values() ?? [])].join("\n")
        spoken.delete(sessionID)
        texts.clear()
        if (!text || opened.get(sessionID) === "inner") return
        await hook("message", { directory, sessionID, messageID, role: "assistant", text })
      }
    },

    "chat.message": async ({ sessionID }, { message, parts }) => {
      const said = parts.filter((part) => part.type === "text" && !part.synthetic)
      const text = said.map((part) => part.text).join("\n")
      if (!text) return
      const source = opened.get(sessionID) ?? (await standing(client, sessionID).catch(() => "resume"))
      opened.set(sessionID, source === "inner" ? source : "resume")
      if (source === "inner") return // what happens in there is told by the session around it
      await hook("message", { directory, sessionID, messageID: message.id, role: "user", text })
      const context = await hook("SessionStart", { directory, sessionID, source })
      if (!context) return
      // Into the message, not the system prompt: it is kept with the session, and said once.
      parts.unshift({
        id: said[0].id.slice(0, -1) + "!",
        sessionID,
        messageID: message.id,
        type: "text",
        synthetic: true,
        text: context,
      })
    },
  }
}
