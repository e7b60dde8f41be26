import { assert, describe, it } from "#test/support/it.ts"
import { Effect, Layer, Redacted } from "effect"
import { Base64, Base64Url, Hex } from "effect/encoding"
import { derivedKey } from "#application/accounts/derivedKey.ts"
import { KeySecretRepo } from "#infrastructure/store/accounts/KeySecretRepo.ts"
import { sqlLayer } from "#infrastructure/store/database/Sql.ts"
import { exportRows } from "#infrastructure/store/database/transfer/rows.ts"
import { temporaryFolder } from "#test/support/folder.ts"
import { locationOf } from "#test/durability/places.ts"
import type { Environment } from "#test/support/process.ts"
import { canaryService } from "./support/canaryService.ts"
import { visitAsAgent } from "./support/agents.ts"
import { askDatabase, askService } from "./support/commands.ts"
import { issueKey, measurements, misplace, type Sight, visit, visitUpstream } from "./support/flows.ts"
import { markedPlaces } from "./support/markedPlaces.ts"
import { callersOwn, leaksOf, markers } from "./support/markers.ts"
import { indiscretions } from "./support/tellingUpstream.ts"

/** Every row of every table, as text. */
const tables = (place: Environment) =>
  Effect.gen(function* () {
    const lines: Array<string> = []
    yield* exportRows((line) => Effect.sync(() => lines.push(line)))
    return lines.join("\n")
  }).pipe(Effect.provide(sqlLayer(locationOf(place))))

/** Everything that is kept in a folder, as text. */
const files = (folder: string) =>
  Effect.promise(async () => {
    const texts = []
    for await (const { isFile, name } of Deno.readDir(folder)) {
      if (isFile) texts.push(await Deno.readTextFile(`${folder}/${name}`))
    }
    return texts.join("\n")
  })

/** The key under which confirmations of agents are signed, in every form in which it could be written. */
const signingKey = (place: Environment) =>
  derivedKey("confirmations of agents").pipe(
    Effect.map(Redacted.value),
    Effect.map((key) => ({
      hex: Hex.encode(key),
      base64: Base64.encode(key),
      base64Url: Base64Url.encode(key),
    })),
    Effect.provide(KeySecretRepo.layer.pipe(Layer.provide(sqlLayer(locationOf(place))))),
  )

describe("secrets", () => {
  for (const { environment, isWhole, name } of markedPlaces) {
    it.live(`are nowhere that a service with ${name} writes or answers`, function* () {
      const place = yield* environment
      const folder = yield* temporaryFolder
      const { environment: settings, service, upstream } = yield* canaryService(place, folder)
      const { url } = service
      const issued = yield* Effect.promise(() => issueKey(url))
      const found = leaksOf({ ...markers, issued: issued.slice(-48) })

      const sights: Array<Sight> = []
      const seen = (look: () => Promise<ReadonlyArray<Sight>>) =>
        Effect.map(Effect.promise(look), (more) => void sights.push(...more))
      yield* seen(() => visit(url))
      yield* seen(() => misplace(url, isWhole ? [markers.apiKey, issued] : [issued]))
      for (const indiscretion of indiscretions) {
        upstream.tell(indiscretion)
        yield* seen(() => visitUpstream(url))
      }
      upstream.tell()
      const agent = yield* Effect.promise(() => visitAsAgent(url))
      sights.push(...agent.sights, ...yield* Effect.promise(() => measurements(url)))
      const asked = yield* askService(url)
      yield* service.kill("SIGTERM")
      yield* service.ended
      const written: ReadonlyArray<readonly [what: string, text: string]> = [
        ...sights.map(({ what, text }) => [what, text] as const),
        ...asked,
        ...yield* askDatabase(settings),
        ["the output of the service", service.output()],
        ["the database", yield* tables(place)],
        ["what the networks keep", yield* files(folder)],
      ]
      const sent = leaksOf({ token: markers.token, path: markers.brokerPath, word: markers.brokerPassword })
      assert.lengthOf(sent(upstream.heard()), 3, "the upstreams were not sent every secret")
      assert.isAbove(sights.length, 1_000)
      assert.isAbove(service.output().length, 100_000)
      assert.deepStrictEqual(leaksOf(callersOwn)(service.output()), [])
      const ofAgents = leaksOf({ ...agent.confirmation, ...yield* signingKey(place) })
      const leaking = written.flatMap(([what, text]) =>
        [...found(text), ...ofAgents(text)].map((leak) => `${what}\n${leak}`)
      )
      assert.deepStrictEqual(leaking.slice(0, 20), [], `${leaking.length} leaks`)
    })
  }
})
