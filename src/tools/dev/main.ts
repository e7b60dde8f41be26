import { fileArguments } from "#infrastructure/config/fileAccess.ts"

/*
 * `deno task dev`: the service with the simulated networks, restarted at each change of a source file. The previous
 * process is killed, which takes no time: records, sessions and the sandbox's world are in DATA_DIR.
 */

const environment = { ...Deno.env.toObject(), MODE: "sandbox" }
const args = [
  "run",
  "-q",
  "--no-prompt",
  "-P=service",
  ...fileArguments("service", environment),
  "src/main.ts",
]
const start = () => new Deno.Command(Deno.execPath(), { args, env: environment }).spawn()

let service = start()
const stop = async () => {
  try {
    service.kill("SIGTERM")
  } catch {
    // The service has already ended.
  }
  Deno.exit((await service.status).code)
}
Deno.addSignalListener("SIGINT", stop)
Deno.addSignalListener("SIGTERM", stop)

/** The milliseconds without a change before a restart: editors write a file in several steps. */
const quiet = 50

const restart = async () => {
  try {
    service.kill("SIGKILL")
  } catch {
    // The service did not start: the previous change has a fault.
  }
  await service.status
  service = start()
}

let timer: ReturnType<typeof setTimeout> | undefined
let restarting = Promise.resolve()
for await (const { kind } of Deno.watchFs(["src", "migrations"])) {
  if (kind === "access") continue
  clearTimeout(timer)
  timer = setTimeout(() => {
    restarting = restarting.then(restart)
  }, quiet)
}
