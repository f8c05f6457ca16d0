import type { Config } from './config.ts'
import { nearestName } from './engine/base/nearest-name.ts'

/** What an operator should know about variables that are valid, in sentences. The start prints them. */
export function adviceOn(env: Record<string, string | undefined>, config: Config, known: readonly string[]): string[] {
  const given = new Set(Object.keys(env).filter((name) => env[name] !== undefined && env[name] !== ''))
  return [...unknownOnes(given, known), ...uselessOnes(given, config)]
}

/** Names that begin like ours and are none of ours, or that differ from one of ours by a slip. */
function unknownOnes(given: ReadonlySet<string>, known: readonly string[]): string[] {
  const ours = new Set(known)
  const longNames = known.filter(({ length }) => length >= longLength)
  return [...given]
    .filter((name) => !ours.has(name))
    .flatMap((name) => {
      const meant = nearestName(name, longNames)
      if (meant !== undefined) return [`${name} is no option of the service. Did you mean ${meant}?`]
      return ownPrefixes.some((prefix) => name.startsWith(prefix)) ? [`${name} is no option of the service.`] : []
    })
    .toSorted()
}

/** Other programs of a machine do not use these. */
const ownPrefixes = ['RETENTION_', 'LIMIT_', 'OIDC_', 'DELIVERY_', 'DATABASE_READ_', 'TRIGGER_', 'BLOCKSCOUT_']
/** Other programs have names that are close to a shorter one, such as PGHOST. */
const longLength = 6

type Useless = { names: readonly string[]; because: string; isUseless(config: Config): boolean }

const requestOptions = [
  ...['CORS_ORIGINS', 'SIGN_UP', 'SESSION_DAYS', 'TRUST_PROXY', 'BODY_BYTES_MAX', 'IMAGE_BODY_BYTES_MAX'],
  ...['STACK_BODY_BYTES_MAX', 'RATE_ACCOUNT_PER_MINUTE', 'RATE_ADDRESS_PER_MINUTE', 'RATE_TESTS_PER_MINUTE'],
  ...['LIMIT_STREAMS_PER_ACCOUNT', 'LIMIT_STREAMS_PER_WORKSPACE', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
]
const engineOptions = [
  ...['LIMIT_ALERTS_PER_MINUTE', 'LIMIT_OUTPUTS_PER_MATCH', 'DELIVERY_DISABLE_DAYS', 'RATE_WEBHOOK_PER_SECOND'],
  ...['TRIGGER_WARNING_PER_MINUTE', 'TRIGGER_LIMITED_PER_MINUTE', 'TRIGGER_BLOCKED_PER_MINUTE'],
  'OTEL_EXPORTER_OTLP_ENDPOINT',
]
const useless: readonly Useless[] = [
  {
    names: ['METRICS_PORT'],
    because: 'only a process with ROLE=engine has it; this one serves /metrics at its own port',
    isUseless: ({ role }) => role !== 'engine',
  },
  {
    names: requestOptions,
    because: 'ROLE=engine answers no requests',
    isUseless: ({ role }) => role === 'engine',
  },
  { names: engineOptions, because: 'ROLE=api runs no triggers', isUseless: ({ role }) => role === 'api' },
  {
    names: ['DATABASE_READ_LAG_MS'],
    because: 'it needs DATABASE_READ_URL',
    isUseless: ({ databaseRead }) => databaseRead === undefined,
  },
  { names: ['MAIL_FROM', 'RATE_EMAIL_PER_MINUTE'], because: 'it needs SMTP_URL', isUseless: hasNoMail },
  {
    names: ['TELEGRAM_WEBHOOK', 'TELEGRAM_API_URL', 'SECURE_SETUP'],
    because: 'it needs TELEGRAM_BOT_TOKEN',
    isUseless: ({ channels }) => channels.telegram === undefined,
  },
  {
    names: ['OIDC_AUDIENCE', 'OIDC_JWKS_URL'],
    because: 'it needs OIDC_ISSUER',
    isUseless: ({ oidc, oidcClient }) => oidc === undefined && oidcClient === undefined,
  },
  {
    names: ['OIDC_CLIENT_SECRET'],
    because: 'it needs OIDC_CLIENT_ID',
    isUseless: ({ oidcClient }) => oidcClient === undefined,
  },
  {
    names: ['ETHERSCAN_API_KEY', 'ETHERSCAN_URL'],
    because: 'ABI_SOURCES does not name etherscan',
    isUseless: ({ abiServices }) => !abiServices.order.includes('etherscan'),
  },
  {
    names: ['BLOCKSCOUT_URLS'],
    because: 'ABI_SOURCES does not name blockscout',
    isUseless: ({ abiServices }) => !abiServices.order.includes('blockscout'),
  },
  {
    names: ['METRICS_TOKEN'],
    because: 'METRICS_OPEN shows the metrics to everyone',
    isUseless: ({ metricsAccess }) => metricsAccess.isOpen,
  },
]

function hasNoMail({ channels }: Config): boolean {
  return channels.smtp === undefined
}

function uselessOnes(given: ReadonlySet<string>, config: Config): string[] {
  return useless
    .filter(({ isUseless }) => isUseless(config))
    .flatMap(({ names, because }) =>
      names.filter((name) => given.has(name)).map((name) => `${name} has no effect here: ${because}.`),
    )
}
