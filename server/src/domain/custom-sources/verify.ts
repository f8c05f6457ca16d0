import { requireLevel } from '../access.ts'
import type { Handler } from '../handler.ts'
import { Refusal } from '../refusal.ts'

/** Refuses rather than make up what an endpoint would have said. */
export const verifyCustomSource: Handler<'verifyCustomSource'> = async ({ account, body, store }) => {
  await requireLevel(store, account, body.workspace, 'developer')
  throw new Refusal('unavailable', 'This service does not connect to chains yet, so no endpoint can be verified.')
}
