import type { PayloadLimits } from '@tocsin/contract'
import type { Network } from '../engine/sources/networks.ts'
import type { Quotas } from './quotas.ts'

export type { Network }

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
      streamsPerAccount: number
      quotas: Quotas
    }
  >
  /** Built-in networks, `common.<network>`, with the operator's endpoints. */
  networks: readonly Network[]
}>
