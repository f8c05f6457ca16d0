import type { EvmFactory, Issue } from '@tocsin/contract'
import { hashOf } from '../../base/hash-of.ts'
import { isObject } from '../../base/is-object.ts'
import { issueUnless } from '../../base/issue-unless.ts'
import type { Factory } from '../block.ts'
import { checkEventAbi, isNamed } from './abi/check-abi.ts'
import { readAbi } from './abi/read-abi.ts'
import { isEvmAddress } from './address.ts'
import { EvmContents } from './contents.ts'
import { factoryOf, type WithContract } from './contracts.ts'
import { logMatcher } from './log-matcher.ts'

/** The factory of a spec, ready to read blocks; undefined if the spec names none. */
export async function openFactory(spec: WithContract & { dataSource: string }): Promise<Factory | undefined> {
  const factory = factoryOf(spec)
  if (!factory) return undefined
  const { contract, event, abiFragment, parameter, fromBlock } = factory
  const matcher = await logMatcher({ type: 'evm_log', dataSource: spec.dataSource, contract, event, abiFragment })
  return {
    key: factoryKey(factory),
    contract: contract.toLowerCase(),
    ...(matcher.topic0s && { topics: matcher.topic0s }),
    ...(fromBlock !== undefined && { fromBlock }),
    membersIn(block) {
      if (!(block.contents instanceof EvmContents) || !block.contents.logs) return undefined
      return matcher.match(block).flatMap(({ params }) => {
        const member = isObject(params) ? params[parameter] : undefined
        return typeof member === 'string' && isEvmAddress(member) ? [member.toLowerCase()] : []
      })
    },
  }
}

export function factoryKey({ contract, event, abiFragment, parameter, fromBlock }: EvmFactory): string {
  return hashOf(JSON.stringify([contract.toLowerCase(), event, abiFragment, parameter, fromBlock ?? null]))
}

/** The event must be in the ABI, and the parameter must be one address. */
export async function checkFactory(factory: EvmFactory, path: string): Promise<Issue[]> {
  const { contract, event, abiFragment, parameter } = factory
  const issues = [
    ...issueUnless(isEvmAddress(contract), `${path}.contract`, 'must be 0x and 40 hex digits'),
    ...(await checkEventAbi(abiFragment, event, path)),
  ]
  return issues.length > 0 ? issues : checkParameter(await readAbi(abiFragment, 'event'), event, parameter, path)
}

function checkParameter(
  abi: Awaited<ReturnType<typeof readAbi>>,
  event: string,
  parameter: string,
  path: string,
): Issue[] {
  const events = abi.ok ? abi.items.filter((item) => item.type === 'event' && isNamed(item, event)) : []
  for (const { name, inputs } of events) {
    const input = inputs.find((each) => each.name === parameter)
    if (!input) return [{ path: `${path}.parameter`, message: `the event ${name} has no parameter "${parameter}"` }]
    if (input.type !== 'address')
      return [{ path: `${path}.parameter`, message: `must be an address, but "${parameter}" is ${input.type}` }]
  }
  return []
}
