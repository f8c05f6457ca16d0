import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { defaultLimits } from '@tocsin/contract'
import * as z from 'zod'
import { services } from './engine/destinations/index.ts'

/** The only reader of the environment. Every option is listed in docs/configuration.md; a test compares the two. */

const flag = z.enum(['on', 'off', '1', '0', 'true', 'false']).transform((text) => ['on', '1', 'true'].includes(text))
const count = z.coerce.number().int().min(1)
const countOrNone = z.coerce.number().int().min(0)
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
)

const AbiSources = z.array(z.enum(['sourcify', 'etherscan', 'blockscout']))
const abiSources = list.transform((names, context): z.output<typeof AbiSources> => {
  const read = AbiSources.safeParse(names.join() === 'none' ? [] : names)
  if (read.success) return read.data
  context.addIssue({ code: 'custom', message: 'must be none, or some of sourcify, etherscan and blockscout' })
  return z.NEVER
})

const serviceUrl = z.url({ protocol: /^https?$/ }).transform(withoutSlash)

/** `1=https://…,10=https://…`: the URL of a service for each chain id. */
const urlsByChain = list.transform((entries, context): Record<string, string> => {
  const pairs = entries.map((entry) => /^(\d+)=(https?:\/\/\S+)$/.exec(entry))
  if (pairs.every((pair) => pair && URL.canParse(pair[2] ?? '')))
    return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', withoutSlash(pair?.[2] ?? '')]))
  context.addIssue({
    code: 'custom',
    message: 'must be chain ids with URLs, such as 1=https://eth.example.org,10=https://…',
  })
  return z.NEVER
})

const origins = list.transform((given, context) => {
  const wrong = given.find((text) => text !== '*' && !(URL.canParse(text) && new URL(text).origin === text))
  if (wrong === undefined) return given
  context.addIssue({ code: 'custom', message: `"${wrong}" is no origin` })
  return z.NEVER
})

function withoutSlash(url: string): string {
  return url.replace(/(?<!\/)\/+$/, '')
}

/** Which proxies may name the caller's address: none, the last N proxies, or the proxies at these addresses. */
export type TrustedProxies = false | number | string[]
const hopsMax = 32
const trustedProxies = z.string().transform((text, context): TrustedProxies => {
  if (['off', 'false', '0'].includes(text)) return false
  if (['on', 'true'].includes(text)) return 1
  if (/^\d+$/.test(text) && Number(text) <= hopsMax) return Number(text)
  const addresses = text.split(',').map((address) => address.trim())
  if (addresses.every(isAddressOrRange)) return addresses
  const message = `must be the number of proxies in front (1 to ${hopsMax}), or their addresses or ranges such as 10.0.0.0/8, separated by commas`
  context.addIssue({ code: 'custom', message })
  return z.NEVER
})

function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

export const Environment = z.object({
  ROLE: z.enum(['all', 'api', 'engine']).default('all'),
  HOST: z.string().default('127.0.0.1'),
  PORT: z.coerce.number().int().min(0).max(65535).default(4100),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: z.string().startsWith('postgres').optional(),
  DATABASE_READ_URL: z.string().startsWith('postgres').optional(),
  DATABASE_READ_LAG_MS: count.max(60_000).default(200),
  DATABASE_POOL: count.max(500).default(10),
  SECRET_KEY: z.string().min(32, 'must have at least 32 characters').optional(),
  SECRET_KEY_NEXT: z.string().min(32, 'must have at least 32 characters').optional(),
  // A local machine has mailboxes such as admin@localhost, which the check for sign-ups refuses.
  ADMIN_EMAIL: z
    .string()
    .max(254)
    .regex(/^[^\s@]+@\S+$/, 'is not an e-mail address')
    .default('admin@localhost.localdomain'),
  ADMIN_PASSWORD: z.string().min(8).max(256).optional(),
  ADMIN_TOKEN: z.string().min(8).max(256).regex(/^\S+$/, 'must not contain spaces').optional(),
  SIGN_UP: flag.default(true),
  SESSION_DAYS: count.max(365).default(30),
  OIDC_ISSUER: z.url().optional(),
  OIDC_AUDIENCE: z.string().optional(),
  OIDC_JWKS_URL: z.url().optional(),
  OIDC_CLIENT_ID: z.string().min(1).max(255).optional(),
  OIDC_CLIENT_SECRET: z.string().min(1).max(1024).optional(),
  SECURE_SETUP: z.enum(['on', 'off']).optional(),
  TELEGRAM_BOT_TOKEN: z.string().optional(),
  TELEGRAM_WEBHOOK: flag.default(false),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z.string().max(320).regex(/@/, 'must contain an e-mail address').optional(),
  SOURCES_FILE: z.string().optional(),
  MARKETPLACE: flag.default(true),
  ALLOW_PRIVATE_NETWORKS: flag.default(false),
  ABI_SOURCES: abiSources.default(['sourcify']),
  SOURCIFY_URL: serviceUrl.default('https://sourcify.dev/server'),
  ETHERSCAN_URL: serviceUrl.default('https://api.etherscan.io/v2/api'),
  ETHERSCAN_API_KEY: z.string().min(1).max(256).optional(),
  BLOCKSCOUT_URLS: urlsByChain.default({}),
  SOURCE_TIMEOUT_MS: count.min(100).max(60_000).default(10_000),
  DELIVERY_DISABLE_DAYS: count.max(365).default(3),
  RETENTION_ALERTS_DAYS: count.max(36_500).default(90),
  RETENTION_LOGS_DAYS: count.max(36_500).default(30),
  RETENTION_AUDIT_DAYS: count.max(36_500).default(365),
  LIMIT_PRIVATE_PROJECTS: countOrNone.optional(),
  LIMIT_CUSTOM_SOURCES: countOrNone.optional(),
  LIMIT_PROJECT_SECRETS: countOrNone.default(100),
  LIMIT_STREAMS_PER_ACCOUNT: count.max(10_000).default(10),
  LIMIT_STREAMS_PER_WORKSPACE: count.default(1_000),
  LIMIT_TRIGGER_VERSIONS: count.default(200),
  LIMIT_TRIGGER_BYTES: count.default(defaultLimits.triggerBytes),
  // The sandbox cannot parse longer dense code within its CPU time, and checking its syntax would block the API.
  LIMIT_SCRIPT_BYTES: count.max(256 * 1024).default(defaultLimits.scriptBytes),
  LIMIT_PROVIDERS: countOrNone.default(defaultLimits.providers),
  // One call is one transaction, and its names are parameters of one statement.
  LIMIT_BULK_ITEMS: count.max(10_000).default(defaultLimits.bulkItems),
  LIMIT_SUBSCRIPTIONS_PER_WORKSPACE: countOrNone.default(1_000_000),
  LIMIT_TRIGGERS_PER_WORKSPACE: countOrNone.default(100_000),
  LIMIT_PICTURE_BYTES_PER_WORKSPACE: countOrNone.default(10 * 1024 ** 3),
  LIMIT_STORED_BYTES_PER_WORKSPACE: countOrNone.default(20 * 1024 ** 3),
  LIMIT_ALERTS_PER_MINUTE: count.default(600_000),
  LIMIT_HISTORY_BLOCKS: countOrNone.default(100_000),
  LIMIT_OUTPUTS_PER_MATCH: count.max(10_000).default(100),
  LIMIT_LABELS: countOrNone.default(defaultLimits.labels),
  LIMIT_TAGS: countOrNone.default(defaultLimits.tags),
  RATE_ACCOUNT_PER_MINUTE: count.default(900),
  RATE_ADDRESS_PER_MINUTE: count.default(120),
  RATE_TESTS_PER_MINUTE: count.default(300),
  // Four tests run at once, so an account cannot use more than 240 s in a minute.
  RATE_TEST_SECONDS_PER_MINUTE: count.max(240).default(240),
  RATE_WORKSPACE_TEST_SECONDS_PER_MINUTE: count.default(2_400),
  RATE_EMAIL_PER_MINUTE: count.max(10_000).default(10),
  RATE_WEBHOOK_PER_SECOND: count.max(100_000).optional(),
  TRIGGER_WARNING_PER_MINUTE: count.optional(),
  TRIGGER_LIMITED_PER_MINUTE: count.optional(),
  TRIGGER_BLOCKED_PER_MINUTE: count.optional(),
  BODY_BYTES_MAX: count.default(1024 * 1024),
  IMAGE_BODY_BYTES_MAX: count.default(8 * 1024 * 1024),
  STACK_BODY_BYTES_MAX: count.default(8 * 1024 * 1024),
  CORS_ORIGINS: origins.default([]),
  TRUST_PROXY: trustedProxies.default(false),
  METRICS_PORT: z.coerce.number().int().min(0).max(65535).optional(),
  METRICS_OPEN: flag.default(false),
  METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: serviceUrl.optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
})

/** The addresses of the services behind the channels, such as the Bot API of Telegram. The channels say which there are. */
export const ServiceUrls = z.object(
  Object.fromEntries(services.map(({ variable, url }) => [variable, serviceUrl.default(url)])),
)

/** The names of all options. */
export const knownVariables: readonly string[] = [...Object.keys(Environment.shape), ...Object.keys(ServiceUrls.shape)]

/** For options without a default. */
const examples: Readonly<Record<string, string>> = {
  PUBLIC_URL: 'https://alerts.example.org',
  DATABASE_URL: 'postgres://user:password@localhost:5432/tocsin',
  DATABASE_READ_URL: 'postgres://user:password@replica:5432/tocsin',
  SECRET_KEY: 'the output of: openssl rand -hex 32',
  SECRET_KEY_NEXT: 'the output of: openssl rand -hex 32',
  ADMIN_EMAIL: 'ops@example.org',
  ADMIN_PASSWORD: 'eight characters or more',
  ADMIN_TOKEN: 'the output of: openssl rand -hex 32',
  OIDC_ISSUER: 'https://login.example.org',
  OIDC_JWKS_URL: 'https://login.example.org/jwks',
  SMTP_URL: 'smtp://user:password@mail.example.org:587',
  MAIL_FROM: 'Tocsin <alerts@example.org>',
  ABI_SOURCES: 'sourcify,etherscan',
  BLOCKSCOUT_URLS: '1=https://eth.blockscout.com',
  CORS_ORIGINS: 'https://app.example.org',
  TRUST_PROXY: '1',
  METRICS_PORT: '9464',
  METRICS_TOKEN: 'the output of: openssl rand -hex 16',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318',
}

/** Defaults are examples; a flag is on or off, and what is left is a number. */
function exampleOf(name: string): string {
  const own = examples[name]
  if (own !== undefined) return own
  const preset: unknown = { ...Environment.parse({}), ...ServiceUrls.parse({}) }[name]
  if (typeof preset === 'boolean') return preset ? 'on' : 'off'
  return preset === undefined ? '100' : String(preset)
}

export type Config = Readonly<ReturnType<typeof fromEnvironment>>

/** Environment → frozen Config, or one error that names every variable that is wrong. */
export function loadConfig(env: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const blank = Object.keys(given).filter((name) => knownVariables.includes(name) && given[name]?.trim() === '')
  if (blank.length > 0)
    throw new Error(`The configuration is wrong.\n${blank.map((name) => lineOf(name, 'is blank')).join('\n')}`)
  const parsed = Environment.safeParse(given)
  const urls = ServiceUrls.safeParse(given)
  if (!parsed.success || !urls.success)
    throw new Error(`The configuration is wrong.\n${describe([parsed.error, urls.error])}`)
  if (parsed.data.OIDC_ISSUER && !parsed.data.OIDC_AUDIENCE && !parsed.data.OIDC_CLIENT_ID)
    throw new Error('The configuration is wrong.\n  OIDC_AUDIENCE: is required with OIDC_ISSUER, or OIDC_CLIENT_ID')
  if (parsed.data.OIDC_CLIENT_ID && !parsed.data.OIDC_ISSUER)
    throw new Error('The configuration is wrong.\n  OIDC_ISSUER: is required with OIDC_CLIENT_ID')
  if (parsed.data.SMTP_URL && !parsed.data.MAIL_FROM)
    throw new Error('The configuration is wrong.\n  MAIL_FROM: is required with SMTP_URL')
  if (parsed.data.TELEGRAM_WEBHOOK && !parsed.data.PUBLIC_URL)
    throw new Error('The configuration is wrong.\n  PUBLIC_URL: is required with TELEGRAM_WEBHOOK')
  if (parsed.data.DATABASE_READ_URL && !parsed.data.DATABASE_URL)
    throw new Error('The configuration is wrong.\n  DATABASE_READ_URL: needs DATABASE_URL')
  return Object.freeze(fromEnvironment(parsed.data, urls.data))
}

function describe(errors: readonly (z.ZodError | undefined)[]): string {
  const issues = errors.flatMap((error) => error?.issues ?? [])
  return issues.map((issue) => lineOf(issue.path.join('.'), issue.message)).join('\n')
}

function lineOf(name: string, message: string): string {
  return `  ${name}: ${message}. For example: ${exampleOf(name)}`
}

function fromEnvironment(env: z.output<typeof Environment>, serviceUrls: z.output<typeof ServiceUrls>) {
  return {
    role: env.ROLE,
    host: env.HOST,
    port: env.PORT,
    publicUrl: env.PUBLIC_URL?.replace(/(?<!\/)\/+$/, ''),
    dataDir: resolve(env.DATA_DIR),
    databaseUrl: env.DATABASE_URL,
    databaseRead: env.DATABASE_READ_URL ? { url: env.DATABASE_READ_URL, lagMs: env.DATABASE_READ_LAG_MS } : undefined,
    databasePool: env.DATABASE_POOL,
    secretKey: env.SECRET_KEY,
    secretKeyNext: env.SECRET_KEY_NEXT,
    admin: { email: env.ADMIN_EMAIL, password: env.ADMIN_PASSWORD, token: env.ADMIN_TOKEN },
    signUp: env.SIGN_UP,
    sessionDays: env.SESSION_DAYS,
    oidc:
      env.OIDC_ISSUER && env.OIDC_AUDIENCE
        ? { issuer: env.OIDC_ISSUER, audience: env.OIDC_AUDIENCE, jwksUrl: env.OIDC_JWKS_URL }
        : undefined,
    oidcClient:
      env.OIDC_ISSUER && env.OIDC_CLIENT_ID
        ? { issuer: env.OIDC_ISSUER, id: env.OIDC_CLIENT_ID, secret: env.OIDC_CLIENT_SECRET }
        : undefined,
    secureSetup: env.SECURE_SETUP ? env.SECURE_SETUP === 'on' : env.TELEGRAM_BOT_TOKEN !== undefined,
    telegramWebhook: env.TELEGRAM_WEBHOOK,
    sourcesFile: env.SOURCES_FILE,
    marketplace: env.MARKETPLACE,
    allowPrivateNetworks: env.ALLOW_PRIVATE_NETWORKS,
    abiServices: {
      order: env.ABI_SOURCES,
      sourcifyUrl: env.SOURCIFY_URL,
      etherscan: { url: env.ETHERSCAN_URL, apiKey: env.ETHERSCAN_API_KEY },
      blockscoutUrls: env.BLOCKSCOUT_URLS,
    },
    sourceTimeoutMs: env.SOURCE_TIMEOUT_MS,
    outputsMax: env.LIMIT_OUTPUTS_PER_MATCH,
    alertsPerMinute: env.LIMIT_ALERTS_PER_MINUTE,
    limits: {
      privateProjects: env.LIMIT_PRIVATE_PROJECTS ?? null,
      customSources: env.LIMIT_CUSTOM_SOURCES ?? null,
      projectSecrets: env.LIMIT_PROJECT_SECRETS,
      historyBlocks: env.LIMIT_HISTORY_BLOCKS,
      triggerVersions: env.LIMIT_TRIGGER_VERSIONS,
      streams: { perAccount: env.LIMIT_STREAMS_PER_ACCOUNT, perWorkspace: env.LIMIT_STREAMS_PER_WORKSPACE },
      quotas: {
        subscriptions: env.LIMIT_SUBSCRIPTIONS_PER_WORKSPACE,
        triggers: env.LIMIT_TRIGGERS_PER_WORKSPACE,
        pictureBytes: env.LIMIT_PICTURE_BYTES_PER_WORKSPACE,
        storedBytes: env.LIMIT_STORED_BYTES_PER_WORKSPACE,
      },
      triggerBytes: env.LIMIT_TRIGGER_BYTES,
      scriptBytes: env.LIMIT_SCRIPT_BYTES,
      providers: env.LIMIT_PROVIDERS,
      bulkItems: env.LIMIT_BULK_ITEMS,
      labels: env.LIMIT_LABELS,
      tags: env.LIMIT_TAGS,
    },
    rates: {
      accountPerMinute: env.RATE_ACCOUNT_PER_MINUTE,
      addressPerMinute: env.RATE_ADDRESS_PER_MINUTE,
      testsPerMinute: env.RATE_TESTS_PER_MINUTE,
      testSecondsPerMinute: env.RATE_TEST_SECONDS_PER_MINUTE,
      workspaceTestSecondsPerMinute: env.RATE_WORKSPACE_TEST_SECONDS_PER_MINUTE,
    },
    pressure: {
      warning: env.TRIGGER_WARNING_PER_MINUTE,
      limited: env.TRIGGER_LIMITED_PER_MINUTE,
      blocked: env.TRIGGER_BLOCKED_PER_MINUTE,
    },
    bodyBytesMax: env.BODY_BYTES_MAX,
    imageBodyBytesMax: env.IMAGE_BODY_BYTES_MAX,
    stackBodyBytesMax: env.STACK_BODY_BYTES_MAX,
    disableDays: env.DELIVERY_DISABLE_DAYS,
    channels: { ...channelsOf(env), serviceUrls },
    retention: {
      alertsDays: env.RETENTION_ALERTS_DAYS,
      logsDays: env.RETENTION_LOGS_DAYS,
      auditDays: env.RETENTION_AUDIT_DAYS,
    },
    corsOrigins: env.CORS_ORIGINS,
    trustProxy: env.TRUST_PROXY,
    metricsPort: env.METRICS_PORT,
    metricsAccess: { token: env.METRICS_TOKEN, isOpen: env.METRICS_OPEN },
    otlpEndpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT,
    logLevel: env.LOG_LEVEL,
  }
}

function channelsOf(env: z.output<typeof Environment>) {
  const { SMTP_URL: smtpUrl, MAIL_FROM: from, TELEGRAM_BOT_TOKEN: token } = env
  const webhookPerSecond = env.RATE_WEBHOOK_PER_SECOND
  return {
    smtp: smtpUrl && from ? { smtpUrl, from } : undefined,
    telegram: token ? { token } : undefined,
    rates: { emailPerMinute: env.RATE_EMAIL_PER_MINUTE, ...(webhookPerSecond !== undefined && { webhookPerSecond }) },
  }
}
