import { Schema } from "effect"
import { duration } from "../config/kinds.ts"
import { optionalSetting, struct } from "../config/Setting.ts"

/** The path of a Redis URL is the number of a database. */
const redisPath = /^\/?[0-9]*$/

const RedisUrl = Schema.NonEmptyString.check(
  Schema.isPattern(/^rediss?:\/\/[^\s]+$/),
  Schema.makeFilter((text) => URL.canParse(text) && redisPath.test(new URL(text).pathname)),
)

/** The Redis server that replicas share state through. */
export const redisSettings = struct({
  url: optionalSetting({
    name: "REDIS_URL",
    isTuning: false,
    unset: "circuit state, rate limits and explanations of quotes are this process's own",
    schema: Schema.RedactedFromValue(RedisUrl),
    expected: "a URL that begins with redis:// or rediss://",
    meaning:
      "Redis server that several replicas share circuit state, rate limits and explanations of quotes through; while it " +
      "cannot be used, also at the start, all of that is this process's own",
  }),
  timeout: duration({
    name: "REDIS_TIMEOUT",
    default: "250 millis",
    meaning: "Longest that a call waits for Redis; where it is slower, it counts as one that cannot be used",
  }),
})
