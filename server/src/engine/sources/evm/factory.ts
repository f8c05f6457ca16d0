import type { EvmFactory, Issue } from '@tocsin/contract'
import { issueUnless } from '../../base/issue-unless.ts'
import { hashOf, isObject } from '../../base/json.ts'
import type { Factory } from '../block.ts'
import { checkEventAbi, isNamed } from './abi/check-abi.ts'
import type { EventForm } from './abi/event-decoder.ts'
import { readAbi } from './abi/read-abi.ts'
import { isEvmAddress } from './address.ts'
import { EvmContents } from './contents.ts'
import { factoryOf, type WithContract } from './contracts.ts'
import { logDecoder } from './log-decoder.ts'

/** The factory of a spec, ready to read blocks; undefined if the spec names none. */
export async function openFactory(spec: WithContract & { dataSource: string }): Promise<Factory | undefined> {
  const factory = factoryOf(spec)
  if (!factory) return undefined
  const { event, abiFragment, parameter, fromBlock } = factory
  const contract = factory.contract.toLowerCase()
  const decoder = await logDecoder({ type: 'evm_log', dataSource: spec.dataSource, event, abiFragment })
  const topics = topicsOf(decoder.forms)
  return {
    key: factoryKey(factory),
    contract,
    logs: { addresses: [contract], ...(topics && { topics }) },
    ...(fromBlock !== undefined && { fromBlock }),
    membersIn(block) {
      const { contents } = block
      if (!(contents instanceof EvmContents) || !contents.logs) return undefined
      return contents.logs
        .filter(({ address }) => address === contract)
        .flatMap((log) => memberOf(decoder.itemOf(block, contents.timestamp, log)?.params, parameter))
    },
  }
}

/** Undefined if one of the events is anonymous, or if there is none. */
export function topicsOf(forms: readonly Pick<EventForm, 'topic0'>[] | undefined): string[] | undefined {
  const topics = forms?.flatMap(({ topic0 }) => topic0 ?? [])
  return topics && topics.length === forms?.length ? [...new Set(topics)] : undefined
}

function memberOf(params: unknown, parameter: string): string[] {
  const member = isObject(params) ? params[parameter] : undefined
  return typeof member === 'string' && isEvmAddress(member) ? [member.toLowerCase()] : []
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
