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
    unset: "none: replicas share nothing",
    schema: Schema.RedactedFromValue(RedisUrl),
    expected: "a URL that begins with redis:// or rediss://",
    meaning:
      "Redis server through which replicas share paused calls, rate limits and quote explanations. While Redis is " +
      "unavailable, each replica has its own",
  }),
  timeout: duration({
    name: "REDIS_TIMEOUT",
    default: "250 millis",
    meaning: "Maximum wait for Redis. A slower response counts as unavailable",
  }),
})
