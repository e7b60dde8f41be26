import { builtIn } from "#providers/mod.ts"
import { announced } from "#sandbox/announced.ts"

const texts = announced(new URL("http://127.0.0.1:9"))

const requiredOf = ({ variables }: typeof builtIn[number]) => variables.filter(({ isRequired }) => isRequired)

const simulated = builtIn.filter((provider) => requiredOf(provider).some(({ name }) => name in texts))

/** The providers of this build that the sandbox simulates, in the order of the build. */
export const simulatedNames: ReadonlyArray<string> = simulated.map(({ name }) => name)

/** Every required setting of those, as at a sandbox on a port where nothing listens, and which of them are URLs. */
export const settingsOfSimulated = simulated.flatMap((provider) =>
  requiredOf(provider).map(({ name }) => {
    const text = texts[name] ?? ""
    return { name, text, isPlace: URL.canParse(text) }
  })
)

/** What leads a service in live mode to the providers of a sandbox, without the addresses that fit only there. */
export const placesOf = (sandboxUrl: URL) =>
  Object.fromEntries(
    Object.entries(announced(sandboxUrl)).filter(([name]) => !/_ADDRESS_|_NETWORK$/.test(name)),
  )
