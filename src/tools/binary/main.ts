import { dropPermissions } from "./dropPermissions.ts"
import { version } from "#infrastructure/platform/version.ts"

/*
 * The program of the one binary. Each of its programs is loaded when it is asked for: a probe that runs every few
 * seconds does not load the service.
 */

const usage = `swap-broker ${version}

  swap-broker start         the service, until SIGTERM or SIGINT
  swap-broker sandbox       only the simulated upstream networks; --env: prints the settings that lead to them
  swap-broker cli COMMAND   the operator's commands; cli --help lists them
  swap-broker healthy       whether the service that listens by HOST and PORT lives, for the check of a container
  swap-broker --help, --version

Settings are variables of the environment: swap-broker cli deploy env prints them all.`

const [program = "--help", ...args] = Deno.args

/** A word too many is a mistake, which the service would hide by starting. */
const withoutArguments = async (run: () => Promise<unknown>): Promise<void> => {
  if (args.length > 0) return refuse(`${program} takes no arguments`)
  await run()
}

const refuse = (why: string): never => {
  console.error(`${why}\n\n${usage}`)
  Deno.exit(2)
}

switch (program) {
  case "start":
    await withoutArguments(() => {
      dropPermissions("service")
      return import("../../main.ts")
    })
    break
  case "sandbox": {
    const run = () => {
      dropPermissions("sandbox")
      return import("../../sandbox.ts")
    }
    await (args.join(" ") === "--env" ? run() : withoutArguments(run))
    break
  }
  case "cli": {
    const { cli } = await import("#exports/app.ts")
    cli([], args)
    break
  }
  case "healthy":
    await withoutArguments(async () => {
      const { illness } = await import("./healthy.ts")
      const why = await illness()
      if (why === undefined) return
      console.error(why)
      Deno.exit(1)
    })
    break
  case "--help":
  case "-h":
    console.log(usage)
    break
  case "--version":
    console.log(version)
    break
  default:
    refuse(`There is no program "${program}"`)
}
