import * as z from 'zod'
import {
  AssetUrl,
  DateTime,
  Description,
  FreeForm,
  Fullname,
  HttpUrl,
  IssueView,
  ListQuery,
  StackMark,
  Stamped,
  Time,
  Title,
} from './base/common.ts'
import { SourceKind } from './chains/chain.ts'

export const SourceState = z.enum(['pending', 'running', 'lagging', 'error', 'stopped'])

const schemes = ['http:', 'https:', 'ws:', 'wss:']
const Url = z
  .string()
  .max(2048)
  .refine((text) => URL.canParse(text), 'must be an http(s) or ws(s) URL')
const Endpoint = Url.refine(
  (text) => !URL.canParse(text) || schemes.includes(new URL(text).protocol),
  'must be an http(s) or ws(s) URL',
)
const endpointsOf = (each: z.ZodType<string, string>) =>
  z
    .array(each)
    .min(1)
    .max(10)
    .refine((urls) => new Set(urls).size === urls.length, 'must name each endpoint once')
/**
 * RPC methods that `rpc` providers of the source's own workspace may call in addition to the reading methods of its
 * chain.
 */
const AllowMethods = z
  .array(
    z
      .string()
      .max(100)
      .regex(/^[A-Za-z][\w.-]*$/, 'must be the name of a JSON-RPC method')
      .refine((name) => !/subscri/i.test(name), 'must not be a subscription, because a provider gets one response'),
  )
  .max(100)
  .refine((names) => new Set(names).size === names.length, 'must name each method once')
const Substrate = z.object({ extensions: FreeForm.optional() })

export const VerifyMode = z.enum(['bloom', 'receipts'])

/** A block explorer. `/tx/…`, `/address/…` and so on are added to the path of `url`; its query stays. */
export const Explorer = z.object({ name: Title.optional(), url: HttpUrl }).meta({ id: 'Explorer' })
export type Explorer = z.output<typeof Explorer>

/** The coin that pays the fees of a network. */
export const NativeCurrency = z
  .object({
    name: z.string().trim().min(1).max(64),
    symbol: z.string().trim().min(1).max(16),
    decimals: z.number().int().min(0).max(36),
  })
  .meta({ id: 'NativeCurrency' })
export type NativeCurrency = z.output<typeof NativeCurrency>

export const CustomSourceSave = z.object({
  mode: z.enum(['create', 'update']),
  name: z.string(),
  fullname: Fullname,
  workspace: Fullname,
  public: z.boolean().default(false),
  kind: SourceKind,
  endpoints: endpointsOf(Endpoint),
  batchMaxCount: z.number().int().min(1).max(100).optional(),
  blockProcessingConcurrency: z.number().int().min(1).max(32).optional(),
  maxQueuedBlocks: z.number().int().min(1).max(100_000).optional(),
  /** A block is processed when this many blocks follow it. Alerts come later, and fewer are retracted. */
  confirmations: z.number().int().min(0).max(1000).optional(),
  allowMethods: AllowMethods.optional(),
  /**
   * EVM only. `verify` checks the receipts root of every block, or (default) its bloom filter and a sample of the
   * roots.
   */
  verify: VerifyMode.optional(),
  /** Without these two, a network that the service knows has its own. */
  explorer: Explorer.optional(),
  nativeCurrency: NativeCurrency.optional(),
  substrate: Substrate.optional(),
  meta: z.object({
    title: Title,
    description: Description.optional(),
    icons: z.object({ default: AssetUrl.optional() }).optional(),
  }),
})

export const CustomSourceVerify = z.object({
  workspace: Fullname,
  name: z.string().min(1).max(64),
  public: z.boolean().optional(),
  kind: SourceKind,
  /** Any URL, because the verification itself reports a scheme that cannot be used. */
  endpoints: endpointsOf(Url),
  substrate: Substrate.optional(),
})

export const SourceStatus = z
  .object({
    status: SourceState,
    previousStatus: SourceState.optional(),
    message: z.string().optional(),
    code: z.string().optional(),
    updatedAt: Time,
  })
  .meta({ id: 'SourceStatus' })

export const CustomSourceListView = z
  .object({
    fullname: z.string(),
    name: z.string(),
    workspace: z.string(),
    public: z.boolean(),
    kind: SourceKind,
    meta: z.object({
      title: z.string(),
      description: z.string().optional(),
      icons: z.object({ default: z.string().optional() }).optional(),
    }),
    status: SourceStatus,
    ...StackMark,
    ...Stamped,
  })
  .meta({ id: 'CustomSourceListView' })

export const SourceRuntime = z.object({
  chainId: z.string().optional(),
  genesisHash: z.string().optional(),
  ss58Prefix: z.number().int().optional(),
  latestBlock: z.number().int().optional(),
  processedBlock: z.number().int().optional(),
  lag: z.number().int().optional(),
  headAt: Time.optional(),
})

export const CustomSource = CustomSourceListView.extend({
  id: z.string(),
  endpoints: z.array(z.string()),
  batchMaxCount: z.number().int().optional(),
  blockProcessingConcurrency: z.number().int().optional(),
  maxQueuedBlocks: z.number().int().optional(),
  confirmations: z.number().int().optional(),
  /** Shown to developers of its workspace. */
  allowMethods: z.array(z.string()).optional(),
  verify: VerifyMode.optional(),
  explorer: Explorer.optional(),
  nativeCurrency: NativeCurrency.optional(),
  substrate: Substrate.optional(),
  runtime: SourceRuntime.optional(),
  revision: z.number().int(),
}).meta({ id: 'CustomSource' })

export const CustomSourceCreateCapability = z
  .object({
    canCreateCustomSources: z.boolean(),
    customSourcesUsed: z.number().int(),
    customSourcesLimit: z.number().int().nullable(),
  })
  .meta({ id: 'CustomSourceCreateCapability' })

export const LogLevel = z.enum(['info', 'warn', 'error'])
const LogLine = z.object({ level: LogLevel, message: z.string() })

export const CustomSourceVerifyResult = z
  .object({
    ok: z.boolean(),
    logs: z.array(LogLine),
    details: z
      .object({
        network: z.string(),
        chainId: z.string().optional(),
        genesisHash: z.string().optional(),
        latestBlock: z.number().int(),
        endpoints: z.array(
          z.object({
            url: z.string(),
            ok: z.boolean(),
            latencyMs: z.number(),
            latestBlock: z.number().int().optional(),
            capabilities: z.array(z.string()),
          }),
        ),
      })
      .optional(),
    error: z.string().optional(),
    issues: z.array(IssueView).optional(),
  })
  .meta({ id: 'CustomSourceVerifyResult' })

export const SourceLogsQuery = z.object({
  limit: z.enum(['50', '100', '250', '500']).default('100').transform(Number),
  level: LogLevel.optional(),
  direction: z.enum(['before', 'after']).default('before'),
  datetime: DateTime.optional(),
})
export const CustomSourceLogsResult = z
  .object({
    entries: z.array(
      z.object({ id: z.string(), at: Time, level: LogLevel, message: z.string(), details: FreeForm.optional() }),
    ),
    hasMore: z.boolean(),
  })
  .meta({ id: 'CustomSourceLogsResult' })

export const SourceStatusTest = z.object({ type: z.enum(['error', 'recovered']) })
export const CustomSourceStatusTestResult = z
  .object({
    ok: z.boolean(),
    event: z.object({
      type: z.enum(['error', 'recovered']),
      status: SourceState,
      previousStatus: SourceState,
      severity: z.enum(['info', 'warning', 'error']),
      message: z.string(),
      source: z.string(),
      at: Time,
    }),
    matched: z.number().int(),
    delivered: z.number().int(),
  })
  .meta({ id: 'CustomSourceStatusTestResult' })

/** A restart and a reset take no fields. */
export const CustomSourceAction = z.object({})
export const CustomSourceRuntimeActionResult = z
  .object({ ok: z.boolean(), fullname: z.string(), revision: z.number().int() })
  .meta({ id: 'CustomSourceRuntimeActionResult' })
export const CustomSourceResetLagResult = z
  .object({ ok: z.boolean(), latestBlock: z.number().int(), skippedBlocks: z.number().int() })
  .meta({ id: 'CustomSourceResetLagResult' })

export const CustomSourceListQuery = ListQuery.extend({ workspace: z.string().max(255).optional() })

export const RuntimeSource = z
  .object({
    fullname: z.string(),
    title: z.string(),
    kind: SourceKind,
    network: z.string(),
    /** The name, explorer and native currency of the network, if the service knows them or the source sets them. */
    networkName: z.string().optional(),
    icon: z.string().optional(),
    explorer: Explorer.optional(),
    nativeCurrency: NativeCurrency.optional(),
    status: SourceState,
    /** False for a built-in network without an endpoint: triggers on it cannot run. */
    configured: z.boolean(),
    latestBlock: z.number().int().optional(),
    processedBlock: z.number().int().optional(),
    lag: z.number().int().optional(),
    errorsLastHour: z.number().int(),
    updatedAt: Time,
  })
  .meta({ id: 'RuntimeSource' })

export const SourceHistoryRange = z.enum(['1h', '24h', '7d'])
export type SourceHistoryRange = z.infer<typeof SourceHistoryRange>
export const SourceHistoryQuery = z.object({ range: SourceHistoryRange.default('24h') })
/**
 * `samples`: the worst values of each step, oldest first; steps in which nobody followed the source are left out.
 * `endpoints`: their calls within the last hour.
 */
export const SourceHistory = z
  .object({
    range: SourceHistoryRange,
    stepMs: z.number().int(),
    samples: z.array(
      z.object({
        at: Time,
        status: SourceState,
        head: z.number().int().optional(),
        processed: z.number().int().optional(),
        /** Blocks between the latest and the processed one. Not known while the source is in error. */
        lag: z.number().int().optional(),
        /** How long ago the latest block was seen. */
        headAgeMs: z.number().int().optional(),
      }),
    ),
    endpoints: z.array(
      z.object({
        host: z.string(),
        requests: z.number().int(),
        failures: z.number().int(),
        timeouts: z.number().int(),
        rateLimited: z.number().int(),
        errorRate: z.number().min(0).max(1).optional(),
        latencyMs: z.number().optional(),
        /** Blocks behind the other endpoints. */
        lag: z.number().int().optional(),
      }),
    ),
  })
  .meta({ id: 'SourceHistory' })
