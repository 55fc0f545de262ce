// Memory for OpenCode, put here by `vade install opencode`; `vade uninstall opencode` removes it.
// It only passes events on to the program below; whatever fails there, OpenCode goes on.
import { spawn } from "node:child_process"

const COMMAND = ["vade", "hook", "opencode"]
const SECONDS = 10

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

export const Vademecum = async ({ directory }) => {
  const begun = new Map() // by session: how its window began, until memory was put into it
  const roles = new Map() // by message
  const texts = new Map() // by message: the newest form of each part

  return {
    event: async ({ event }) => {
      const about = event.properties ?? {}
      if (event.type === "session.created" && !about.info?.parentID) {
        begun.set(about.info?.id, "startup")
      } else if (event.type === "session.compacted") {
        begun.set(about.sessionID, "compact")
      } else if (event.type === "message.updated" && about.info?.role === "assistant") {
        roles.set(about.info.id, about.info.sessionID)
      } else if (event.type === "message.part.updated" && about.part?.type === "text") {
        const parts = texts.get(about.part.messageID) ?? new Map()
        parts.set(about.part.id, about.part.text)
        texts.set(about.part.messageID, parts)
      } else if (event.type === "session.idle") {
        for (const [messageID, sessionID] of roles) {
          if (sessionID !== about.sessionID) continue
          const text = [...(texts.get(messageID)?.values() ?? [])].join("\n")
          roles.delete(messageID)
          texts.delete(messageID)
          if (text) await hook("message", { directory, sessionID, messageID, role: "assistant", text })
        }
      }
    },

    "chat.message": async ({ sessionID }, { message, parts }) => {
      const said = parts.filter((part) => part.type === "text" && !part.synthetic)
      const text = said.map((part) => part.text).join("\n")
      const fields = { directory, sessionID, messageID: message.id, role: "user", text }
      if (text) await hook("message", fields)
      // A session that this process did not begin has its memory in its messages already.
      const source = begun.get(sessionID) ?? "resume"
      begun.set(sessionID, "resume")
      const context = await hook("SessionStart", { directory, sessionID, source })
      if (!context || !said.length) return
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
