import { durationWords, showAmount } from '@tocsin/contract'
import { showTime } from '../../base/show-time.ts'
import type { SpokenEvent, TellEvent } from '../chain-rules.ts'

type Words = (params: SpokenEvent['params'], spoken: SpokenEvent) => string | undefined

/**
 * Words for the events of common interfaces, by their names. A contract may use a name for something else, so an event whose
 * parameters are others has none.
 */
const words: Readonly<Record<string, Words>> = {
  RoleGranted: needs(
    ['role', 'account'],
    ({ role, account }, { name }) => `Role ${name(role)} was granted to ${name(account)}`,
  ),
  RoleRevoked: needs(
    ['role', 'account'],
    ({ role, account }, { name }) => `Role ${name(role)} was taken from ${name(account)}`,
  ),
  RoleAdminChanged: needs(
    ['role', 'newAdminRole'],
    ({ role, newAdminRole }, { name }) => `Role ${name(role)} is now administered by role ${name(newAdminRole)}`,
  ),
  OwnershipTransferred: needs(['previousOwner', 'newOwner'], ({ previousOwner, newOwner }, { name }) => {
    if (isZero(newOwner)) return `${name(previousOwner)} gave up the ownership`
    return isZero(previousOwner)
      ? `${name(newOwner)} became the owner`
      : `Ownership passed from ${name(previousOwner)} to ${name(newOwner)}`
  }),
  OwnershipTransferStarted: needs(
    ['previousOwner', 'newOwner'],
    ({ previousOwner, newOwner }, { name }) => `${name(previousOwner)} offers the ownership to ${name(newOwner)}`,
  ),
  Upgraded: needs(
    ['implementation'],
    ({ implementation }, { name }) => `The implementation was replaced by ${name(implementation)}`,
  ),
  BeaconUpgraded: needs(['beacon'], ({ beacon }, { name }) => `The beacon was replaced by ${name(beacon)}`),
  AdminChanged: needs(
    ['previousAdmin', 'newAdmin'],
    ({ previousAdmin, newAdmin }, { name }) =>
      `The admin of the proxy changed from ${name(previousAdmin)} to ${name(newAdmin)}`,
  ),
  Paused: needs(['account'], ({ account }, { name }) => `${name(account)} paused the contract`),
  Unpaused: needs(['account'], ({ account }, { name }) => `${name(account)} ended the pause of the contract`),

  CallScheduled: needs(
    ['target', 'data', 'delay'],
    (params, spoken) => `${calledBy(params, spoken)} was scheduled${readyAt(params.delay, spoken)}`,
  ),
  CallExecuted: needs(['target', 'data'], (params, spoken) => `${calledBy(params, spoken)} was executed`),
  Cancelled: needs(['id'], ({ id }, { name }) => `The scheduled operation ${name(id)} was cancelled`),
  MinDelayChange: needs(
    ['oldDuration', 'newDuration'],
    ({ oldDuration, newDuration }) => `The delay changed from ${lasting(oldDuration)} to ${lasting(newDuration)}`,
  ),
  QueueTransaction: needs(
    ['target', 'signature', 'eta'],
    (params, spoken) => `${calledBy(params, spoken)} was queued; it can be executed from ${pointOf(params.eta)}`,
  ),
  ExecuteTransaction: needs(['target', 'signature'], (params, spoken) => `${calledBy(params, spoken)} was executed`),
  CancelTransaction: needs(['target', 'signature'], (params, spoken) => `${calledBy(params, spoken)} was cancelled`),

  ProposalCreated: needs(['proposalId', 'voteEnd'], (params, { name }) => {
    const by = params.proposer === undefined ? '' : ` by ${name(params.proposer)}`
    const from = params.voteStart === undefined ? '' : ` from ${pointOf(params.voteStart)}`
    return `Proposal ${shortNumber(params.proposalId)} was made${by}; the vote is open${from} to ${pointOf(params.voteEnd)}`
  }),
  ProposalQueued: needs(['proposalId'], ({ proposalId, etaSeconds, eta }) => {
    const at = etaSeconds ?? eta
    return `Proposal ${shortNumber(proposalId)} was queued${at === undefined ? '' : `; it can be executed from ${pointOf(at)}`}`
  }),
  ProposalExecuted: needs(['proposalId'], ({ proposalId }) => `Proposal ${shortNumber(proposalId)} was executed`),
  ProposalCanceled: needs(['proposalId'], ({ proposalId }) => `Proposal ${shortNumber(proposalId)} was cancelled`),
  VoteCast: needs(['voter', 'proposalId', 'support'], ({ voter, proposalId, support }, { name }) => {
    const side = ['against', 'for', 'to abstain on'][Number(support)] ?? 'on'
    return `${name(voter)} voted ${side} proposal ${shortNumber(proposalId)}`
  }),

  ExecutionSuccess: needs(['txHash'], ({ txHash }, { name }) => `Transaction ${name(txHash)} of the Safe was executed`),
  ExecutionFailure: needs(['txHash'], ({ txHash }, { name }) => `Transaction ${name(txHash)} of the Safe failed`),
  AddedOwner: needs(['owner'], ({ owner }, { name }) => `${name(owner)} became an owner`),
  RemovedOwner: needs(['owner'], ({ owner }, { name }) => `${name(owner)} is no longer an owner`),
  ChangedThreshold: needs(['threshold'], ({ threshold }) => `Now ${threshold} signatures are needed`),
  EnabledModule: needs(['module'], ({ module }, { name }) => `Module ${name(module)} was enabled`),
  DisabledModule: needs(['module'], ({ module }, { name }) => `Module ${name(module)} was disabled`),
  ChangedGuard: needs(['guard'], ({ guard }, { name }) => `The guard is now ${name(guard)}`),

  Transfer: needs(
    ['from', 'to', 'value'],
    ({ from, to, value }, { name, amount }) => `${amount(value)} moved from ${name(from)} to ${name(to)}`,
  ),
  Approval: needs(
    ['owner', 'spender', 'value'],
    ({ owner, spender, value }, { name, amount }) =>
      `${name(owner)} lets ${name(spender)} spend ${isUnlimited(value) ? 'an unlimited amount' : amount(value)}`,
  ),
  Deposit: needs(
    ['sender', 'owner', 'assets', 'shares'],
    ({ sender, owner, shares }, { name, amount }) =>
      `${name(sender)} made a deposit: ${name(owner)} got ${amount(shares)}`,
  ),
  Withdraw: needs(
    ['receiver', 'owner', 'assets', 'shares'],
    ({ receiver, owner, shares }, { name, amount }) =>
      `${name(owner)} gave back ${amount(shares)}: ${name(receiver)} got the assets`,
  ),
}

export const tellEvmEvent: TellEvent = (spoken) => {
  const { event, params } = spoken
  return Object.hasOwn(words, event) ? words[event]?.(params, spoken) : undefined
}

function needs(names: readonly string[], say: Words): Words {
  return (params, spoken) => (names.every((name) => params[name] !== undefined) ? say(params, spoken) : undefined)
}

function isZero(value: unknown): boolean {
  return /^0x0*$/.test(String(value))
}

function isUnlimited(value: unknown): boolean {
  return /^\d+$/.test(String(value)) && BigInt(String(value)) >= 2n ** 255n
}

/** The call that a timelock holds. The calls inside it are not decoded here. */
function calledBy({ target, data, signature }: SpokenEvent['params'], { name }: SpokenEvent): string {
  const method = signature || (String(data).length >= 10 ? name(String(data).slice(0, 10)) : '')
  return method === '' ? `A transfer to ${name(target)}` : `A call of ${method} on ${name(target)}`
}

function readyAt(delay: unknown, { atSeconds }: SpokenEvent): string {
  const seconds = Number(delay)
  if (!Number.isFinite(seconds)) return ''
  return atSeconds === undefined
    ? `; it can be executed after ${lasting(delay)}`
    : `; it can be executed from ${pointOf(atSeconds + seconds)}`
}

function lasting(seconds: unknown): string {
  const whole = Math.floor(Number(seconds))
  const counts = [Math.floor(whole / 86_400), Math.floor(whole / 3_600) % 24, Math.floor(whole / 60) % 60, whole % 60]
  const parts = counts.flatMap((count, at) => (count > 0 ? `${count}${'dhms'.charAt(at)}` : []))
  return parts.length === 0 ? '0 seconds' : durationWords(parts.join(''))
}

/** Governors count in blocks or in seconds. A number of this size is a time. */
const secondsMin = 1_000_000_000

function pointOf(value: unknown): string {
  const number = Number(value)
  return number >= secondsMin && number < 1e11
    ? showTime(new Date(number * 1000))
    : `block ${showAmount(String(value))}`
}

/** The id of a proposal of OpenZeppelin's Governor is a hash. */
function shortNumber(value: unknown): string {
  const text = String(value)
  return text.length > 15 ? `${text.slice(0, 6)}…${text.slice(-4)}` : text
}
