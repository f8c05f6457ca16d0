import * as z from 'zod'
import { FreeForm } from '../base/common.ts'
import { EvmLogSpec } from '../chains/evm.ts'
import { TriggerSpec } from './trigger-spec.ts'

export const bindingsMax = 32

/** One of the sources of a trigger. Its items have the id as `source.binding`. */
export const SourceBinding = z.object({
  id: z.string().min(1).max(64),
  dataSource: z.string().min(1),
  /** Replaces the contract of the triggerSpec for this source. */
  contract: EvmLogSpec.shape.contract,
  /** Merged into `inputs` for items of this source; a value replaces an input of the same name. */
  values: FreeForm.optional(),
})
export type SourceBinding = z.output<typeof SourceBinding>

export const SourceBindings = z.array(SourceBinding).min(1).max(bindingsMax)

const typesWithContract = new Set<string>(
  TriggerSpec.options.filter(({ shape }) => 'contract' in shape).map(({ shape }) => shape.type.value),
)

/** True if a triggerSpec of this type may name a contract. */
export function hasContract(type: string): boolean {
  return typesWithContract.has(type)
}
