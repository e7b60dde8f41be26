import type { Shapes } from "./json.ts"

/*
 * What the generator makes of the contract stands in the place of this in the client. These few members are what the
 * written part relies on.
 */

/** A failure that the service answered with (RFC 7807). */
export interface Problem {
  readonly code?: string | undefined
  readonly unknownCode?: string
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly traceId: string
}

/** A message to a webhook. */
export interface WebhookMessage {
  readonly type: string
  readonly timestamp: string
}

/** A key that signs answers and case files. */
export interface CaseKey {
  readonly kid: string
  readonly x: string
}

export const problemCodes: ReadonlyArray<string> = []

export const shapes: Shapes = {}
