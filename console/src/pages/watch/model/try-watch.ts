import type { Client } from '@tocsin/sdk'
import type { Watch } from './plan.ts'

type Api = Pick<Client, 'findLatestBlock' | 'testTrigger'>
type Issues = readonly { path: string; message: string }[]

/**
 * Runs a watch once on the chain before it goes live: an address without a price feed, a token that is none or a node that
 * does not answer is told now, and not by a trigger that fails at every run. That nothing matches yet is no failure.
 */
export async function tryWatch(api: Api, { trigger, inputs }: Watch): Promise<void> {
  const { providers = [], transform = null, outputSchema = null } = trigger
  if (!trigger.triggerSpec) return
  // What is read at every few blocks is read at the latest one: the contract may be younger than a minute.
  const triggerSpec = 'every' in trigger.triggerSpec ? { ...trigger.triggerSpec, every: 1 } : trigger.triggerSpec
  const definition = { triggerSpec, providers, transform, outputSchema, inputs }
  if (triggerSpec.type === 'timer') return requireValid(await api.testTrigger({ body: { ...definition, test: {} } }))
  const latest = await api.findLatestBlock({ body: { triggerSpec, inputs, maxBlocks: 1 } })
  requireValid(latest)
  if (latest.matched) requireValid(await api.testTrigger({ body: { ...definition, input: latest.input } }))
}

function requireValid({ valid, issues }: { valid: boolean; issues: Issues }): void {
  if (valid) return
  const reasons = issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
  throw new Error(`It was tried on the chain and failed. ${reasons.join(' ')}`)
}
