import { hash } from 'node:crypto'
import { canonicalJson } from '../../engine/base/canonical-json.ts'
import { waitForTurn } from '../../engine/base/event-loop-turns.ts'
import type { StackContext, StoredDefinition } from '../definition-noun.ts'
import type { ReadRequest } from './read-request.ts'

/**
 * The hash of a plan: the same request on the same state always has the same one. It is keyed, because the state contains
 * secrets that a reader of the hash could otherwise guess.
 */
export async function hashPlan(
  { store, workspace, stack }: StackContext,
  { prune, hashes }: ReadRequest['sent'],
  before: ReadonlyMap<string, StoredDefinition | undefined>,
): Promise<string> {
  const state = await hashesOf([...before])
  const sent = hashes.toSorted()
  return store.signatures.deriveSecret('stack plan', canonicalJson({ id: workspace.id, stack, prune, sent, state }))
}

/** In the order of the hashes. A stack can have megabytes, so each entity has its own turn of the event loop. */
async function hashesOf(stored: readonly unknown[]): Promise<string[]> {
  const hashes: string[] = []
  for (const entity of stored) {
    await waitForTurn()
    hashes.push(hash('sha256', canonicalJson(entity)))
  }
  return hashes.sort()
}
