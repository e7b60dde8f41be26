import { presentStatus } from "../../../src/api/present/swapStatus.ts"
import type { SwapRecordBody } from "../../../src/api/SwapStatusBody.ts"
import type { SwapRecord } from "../../../src/domain/SwapRecord.ts"

/** A swap as its schema encodes it: what is written as text has to be the same. */
export const presentRecord = ({ id, platform, status }: SwapRecord): SwapRecordBody => ({
  id,
  platform,
  status: presentStatus(status),
})
