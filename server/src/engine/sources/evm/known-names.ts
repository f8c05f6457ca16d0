import { hashSignature } from './abi/keccak.ts'
import { type AbiItem, readAbiLines } from './abi/read-abi.ts'
import { selectorOf } from './abi/selector.ts'
import { interfaces } from './interfaces/index.ts'

/** The roles of common contracts. The hash of a role is that of its name. */
const roles = [
  ...['MINTER_ROLE', 'BURNER_ROLE', 'PAUSER_ROLE', 'UNPAUSER_ROLE', 'FREEZER_ROLE', 'SNAPSHOT_ROLE', 'TRANSFER_ROLE'],
  ...[
    'UPGRADER_ROLE',
    'PROXY_ADMIN_ROLE',
    'ADMIN_ROLE',
    'OWNER_ROLE',
    'MANAGER_ROLE',
    'OPERATOR_ROLE',
    'GOVERNOR_ROLE',
  ],
  ...['GOVERNANCE_ROLE', 'TIMELOCK_ADMIN_ROLE', 'PROPOSER_ROLE', 'EXECUTOR_ROLE', 'CANCELLER_ROLE', 'GUARDIAN_ROLE'],
  ...['EMERGENCY_ROLE', 'KEEPER_ROLE', 'RELAYER_ROLE', 'BRIDGE_ROLE', 'ORACLE_ROLE', 'ORACLE_ADMIN_ROLE', 'PRICE_ROLE'],
  ...[
    'STRATEGIST_ROLE',
    'STRATEGY_MANAGER_ROLE',
    'HARVESTER_ROLE',
    'TREASURY_ROLE',
    'FEE_MANAGER_ROLE',
    'REWARDER_ROLE',
  ],
  ...[
    'DISTRIBUTOR_ROLE',
    'WHITELISTER_ROLE',
    'BLACKLISTER_ROLE',
    'DEPOSITOR_ROLE',
    'WITHDRAWER_ROLE',
    'LIQUIDATOR_ROLE',
  ],
  ...['RISK_ADMIN_ROLE', 'RISK_MANAGER_ROLE', 'POOL_ADMIN_ROLE', 'EMERGENCY_ADMIN_ROLE', 'ASSET_LISTING_ADMIN_ROLE'],
  ...['CURATOR_ROLE', 'ALLOCATOR_ROLE', 'SENTINEL_ROLE', 'VERIFIER_ROLE', 'SIGNER_ROLE', 'AUTHORIZED_ROLE'],
]
const defaultAdmin = 'DEFAULT_ADMIN_ROLE'
const defaultAdminHash = `0x${'00'.repeat(32)}`

let known: ReadonlyMap<string, string> | undefined

/** The hash of a role that a contract names in a public constant, such as `MINTER_ROLE`. */
function roleHash(name: string): string {
  return name === defaultAdmin ? defaultAdminHash : hashSignature(name)
}

/** The roles that an ABI names: `STRATEGIST_ROLE()` is a public constant. */
export function rolesIn(items: readonly Pick<AbiItem, 'type' | 'name' | 'inputs'>[]): Map<string, string> {
  const constants = items.filter(
    ({ type, name, inputs }) => type === 'function' && inputs.length === 0 && /_ROLE$/.test(name),
  )
  return new Map(constants.slice(0, rolesMax).map(({ name }) => [roleHash(name), name]))
}

const rolesMax = 64

/** What people call a role or a function; undefined for any other text. */
export function knownName(text: string): string | undefined {
  known ??= new Map([...[defaultAdmin, ...roles].map((name) => [roleHash(name), name] as const), ...namedFunctions()])
  return known.get(text.toLowerCase())
}

/** The functions of common interfaces by their selectors. */
function namedFunctions(): (readonly [string, string])[] {
  const lines = interfaces.flatMap((each) => each.lines).filter((line) => line.startsWith('function '))
  return readAbiLines(lines).map(({ name, signature }) => [selectorOf(signature), name] as const)
}
