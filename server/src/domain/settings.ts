import type { PayloadLimits } from '@tocsin/contract'
import type { Network } from '../engine/sources/networks.ts'
import type { Quotas } from './quotas.ts'

export type { Network }

/** Streams that one process holds open: of one account, and of one workspace that they name. */
export type StreamLimits = Readonly<{ perAccount: number; perWorkspace: number }>

/** What the operator decided, as far as the rules care. */
export type Settings = Readonly<{
  /** Where people reach the service, for links in answers. */
  publicUrl: string
  version: string
  signUp: boolean
  sessionDays: number
  secureSetup: boolean
  limits: Readonly<
    PayloadLimits & {
      privateProjects: number | null
      customSources: number | null
      projectSecrets: number
      streams: StreamLimits
      quotas: Quotas
    }
  >
  /** Built-in networks, `common.<network>`, with the operator's endpoints. */
  networks: readonly Network[]
}>
