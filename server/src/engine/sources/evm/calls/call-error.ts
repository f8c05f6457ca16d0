import { UpstreamError } from '../../../outbound/upstream-error.ts'
import { type EvmItem, evmItemOf } from '../abi/abi-items.ts'
import { decoderOf } from '../abi/codec.ts'
import { readAbi, readAbiLines } from '../abi/read-abi.ts'
import { selectorOf } from '../abi/selector.ts'

/**
 * Why a call failed: the text of `Error(string)`, or the name and values of another error. An error that nobody knows has its
 * selector alone.
 */
export type CallError = { reason?: string; name?: string; args?: unknown[]; selector?: string }

const selectorEnd = 10
const reasonMax = 500
const reasonError = 'Error'
const panicError = 'Panic'

/** The errors of Solidity and of OpenZeppelin's libraries. */
const knownLines = [
  ...[`error ${reasonError}(string reason)`, `error ${panicError}(uint256 code)`],
  ...['error OwnableUnauthorizedAccount(address account)', 'error OwnableInvalidOwner(address owner)'],
  'error AccessControlUnauthorizedAccount(address account, bytes32 neededRole)',
  ...['error AccessControlBadConfirmation()', 'error AccessControlEnforcedDefaultAdminRules()'],
  ...[
    'error AccessManagedUnauthorized(address caller)',
    'error AccessManagerUnauthorizedAccount(address sender, uint64 role)',
  ],
  ...['error EnforcedPause()', 'error ExpectedPause()', 'error ReentrancyGuardReentrantCall()'],
  ...['error InvalidInitialization()', 'error NotInitializing()', 'error FailedCall()', 'error FailedInnerCall()'],
  ...['error AddressEmptyCode(address target)', 'error InsufficientBalance(uint256 balance, uint256 needed)'],
  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
  'error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)',
  ...['error ERC20InvalidSender(address sender)', 'error ERC20InvalidReceiver(address receiver)'],
  ...['error ERC20InvalidApprover(address approver)', 'error ERC20InvalidSpender(address spender)'],
  'error SafeERC20FailedOperation(address token)',
  'error ERC20ExceededCap(uint256 increasedSupply, uint256 cap)',
  ...['error ERC721NonexistentToken(uint256 tokenId)', 'error ERC721InvalidReceiver(address receiver)'],
  'error ERC721IncorrectOwner(address sender, uint256 tokenId, address owner)',
  'error ERC721InsufficientApproval(address operator, uint256 tokenId)',
  'error ERC1155InsufficientBalance(address sender, uint256 balance, uint256 needed, uint256 tokenId)',
  'error ERC1155MissingApprovalForAll(address operator, address owner)',
  'error ERC4626ExceededMaxDeposit(address receiver, uint256 assets, uint256 max)',
  'error ERC4626ExceededMaxMint(address receiver, uint256 shares, uint256 max)',
  'error ERC4626ExceededMaxWithdraw(address owner, uint256 assets, uint256 max)',
  'error ERC4626ExceededMaxRedeem(address owner, uint256 shares, uint256 max)',
  ...[
    'error TimelockInsufficientDelay(uint256 delay, uint256 minDelay)',
    'error TimelockUnauthorizedCaller(address caller)',
  ],
  'error TimelockUnexpectedOperationState(bytes32 operationId, bytes32 expectedStates)',
  'error TimelockUnexecutedPredecessor(bytes32 predecessorId)',
  ...['error GovernorNonexistentProposal(uint256 proposalId)', 'error GovernorAlreadyCastVote(address voter)'],
  'error GovernorInsufficientProposerVotes(address proposer, uint256 votes, uint256 threshold)',
  'error GovernorUnexpectedProposalState(uint256 proposalId, uint8 current, bytes32 expectedStates)',
  ...['error UUPSUnauthorizedCallContext()', 'error ERC1967InvalidImplementation(address implementation)'],
  ...['error ECDSAInvalidSignature()', 'error ERC2612ExpiredSignature(uint256 deadline)'],
  ...['error SafeCastOverflowedUintDowncast(uint8 bits, uint256 value)', 'error MathOverflowedMulDiv()'],
]

/** What the codes of Solidity's panics mean. */
const panics: Readonly<Record<string, string>> = {
  '1': 'an assertion failed',
  '17': 'an arithmetic operation overflowed',
  '18': 'a division by zero',
  '33': 'a value that the enum does not have',
  '34': 'bytes in storage that are encoded wrongly',
  '49': 'pop on an empty array',
  '50': 'an index outside of its array',
  '65': 'too much memory was allocated',
  '81': 'a function that was never set',
}

let known: ReadonlyMap<string, EvmItem> | undefined

/** The errors of an ABI by their selectors. */
export async function errorsOf(fragment: unknown): Promise<ReadonlyMap<string, EvmItem>> {
  if (fragment === undefined) return new Map()
  const abi = await readAbi(fragment, 'function')
  if (!abi.ok) throw new UpstreamError('refused', `abiFragment ${abi.message}`)
  const errors = abi.items.filter(({ type }) => type === 'error').map(evmItemOf)
  return new Map(errors.map((error) => [selectorOf(error.signature), error]))
}

/** Undefined if the call returned nothing that could be an error. */
export function decodeError(data: string, errors: ReadonlyMap<string, EvmItem>): CallError | undefined {
  if (data.length < selectorEnd) return undefined
  const selector = data.slice(0, selectorEnd).toLowerCase()
  known ??= new Map(readAbiLines(knownLines).map((item) => [selectorOf(item.signature), evmItemOf(item)]))
  const error = errors.get(selector) ?? known.get(selector)
  const args = error && decodeArgs(error, data)
  if (!error || !args) return { selector }
  const [first] = args
  if (error.name === reasonError) return { reason: String(first).slice(0, reasonMax), selector }
  const reason = error.name === panicError ? panics[String(first)] : undefined
  return { ...(reason !== undefined && { reason }), name: error.name, args, selector }
}

function decodeArgs({ inputs }: EvmItem, data: string): unknown[] | undefined {
  try {
    return inputs.length === 0 ? [] : decoderOf(inputs)(data.toLowerCase(), selectorEnd)
  } catch {
    return undefined
  }
}
