import { type Issue, parseDurationMs, type TriggerSpec } from '@tocsin/contract'
import { isEvmAddress, isSolanaAddress } from '../sources/addresses.ts'
import { checkEventAbi } from '../sources/evm/abi/check-abi.ts'
import { readAbi } from '../sources/evm/abi/read-abi.ts'
import { checkEventIdl } from '../sources/solana/idl/check-idl.ts'

const intervalLeastMs = 10_000
const intervalMostMs = 30 * 86_400_000
const identifier = /^[A-Za-z_]\w*$/
const sourceName = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,253}[A-Za-z0-9])?$/

/** Whether the data source exists is for the caller to say: an unknown one does not make a definition invalid. */
export async function checkSpec(spec: TriggerSpec, path: string): Promise<Issue[]> {
  if (spec.type === 'timer') return checkInterval(spec.interval, `${path}.interval`)
  const issues = expect(sourceName.test(spec.dataSource), `${path}.dataSource`, 'must be the fullname of a source')
  if (spec.type === 'evm_log') return [...issues, ...(await checkEvmLog(spec, path))]
  if (spec.type === 'substrate_event') return [...issues, ...checkSubstrateEvent(spec, path)]
  if (spec.type === 'solana_event') return [...issues, ...(await checkSolanaEvent(spec, path))]
  return issues
}

function checkInterval(interval: string, path: string): Issue[] {
  const ms = parseDurationMs(interval)
  if (ms === undefined) return [{ path, message: 'must be a duration such as 30s, 5m, 1h30m or 1d' }]
  return expect(ms >= intervalLeastMs && ms <= intervalMostMs, path, 'must be from 10s to 30d')
}

async function checkEvmLog(spec: Extract<TriggerSpec, { type: 'evm_log' }>, path: string): Promise<Issue[]> {
  const { contract, event, abiFragment, topicsCount, dataBytes } = spec
  const isCount = (value: number, most: number) => Number.isInteger(value) && value >= 0 && value <= most
  return [
    ...expect(contract === undefined || isEvmAddress(contract), `${path}.contract`, 'must be 0x and 40 hex digits'),
    ...(await checkEvent(event, abiFragment !== undefined, `${path}.event`)),
    ...expect(
      topicsCount === undefined || isCount(topicsCount, 4),
      `${path}.topicsCount`,
      'must be a whole number from 0 to 4',
    ),
    ...expect(
      dataBytes === undefined || isCount(dataBytes, 2 ** 31),
      `${path}.dataBytes`,
      'must be a whole number, 0 or more',
    ),
    ...(abiFragment === undefined ? [] : await checkEventAbi(abiFragment, event, path)),
  ]
}

/** Logs hold a hash of the whole signature: a name alone says nothing without an ABI that has its parameters. */
async function checkEvent(event: string | undefined, hasAbi: boolean, path: string): Promise<Issue[]> {
  if (event === undefined) return []
  if (!isEventName(event)) return [{ path, message: 'must be the name or the signature of an event' }]
  if (hasAbi) return []
  const message = 'is only a name: give its signature, such as Paid(address,uint256), or an abiFragment that holds it'
  return event.includes('(') ? checkSignature(event, path) : [{ path, message }]
}

async function checkSignature(event: string, path: string): Promise<Issue[]> {
  const abi = await readAbi(event, 'event')
  return abi.ok ? [] : [{ path, message: `is no signature of an event: ${abi.message.replace('is not an ABI: ', '')}` }]
}

/** `Transfer`, `Transfer(address,address,uint256)` or the human-readable line. */
function isEventName(event: string): boolean {
  return /^(?:event\s+)?[A-Za-z_$][\w$]*\s*(?:\([\w\s,()[\]$]*\)[\s\w;]*)?$/.test(event)
}

function checkSubstrateEvent(spec: Extract<TriggerSpec, { type: 'substrate_event' }>, path: string): Issue[] {
  const { pallet, event } = spec
  return [
    ...expect(pallet === undefined || identifier.test(pallet), `${path}.pallet`, 'must be the name of a pallet'),
    ...expect(event === undefined || identifier.test(event), `${path}.event`, 'must be the name of an event'),
  ]
}

async function checkSolanaEvent(spec: Extract<TriggerSpec, { type: 'solana_event' }>, path: string): Promise<Issue[]> {
  const { programId, event, idl } = spec
  const isProgram = programId === undefined || isSolanaAddress(programId)
  return [
    ...expect(isProgram, `${path}.programId`, 'must be a base58 address of 32 bytes'),
    ...expect(event === undefined || identifier.test(event), `${path}.event`, 'must be the name of an event'),
    ...(idl === undefined ? [] : await checkEventIdl(idl, event, path)),
  ]
}

function expect(isRight: boolean, path: string, message: string): Issue[] {
  return isRight ? [] : [{ path, message }]
}
