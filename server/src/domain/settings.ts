import type { PayloadLimits } from '@tocsin/contract'
import type { Network } from '../engine/sources/networks.ts'

export type { Network }

/** How many streams one process holds open, for one account and for one workspace. */
export type StreamLimits = Readonly<{ perAccount: number; perWorkspace: number }>

/** What one workspace may hold. The defaults are so high that only a runaway script reaches them. */
export type Quotas = { subscriptions: number; triggers: number; pictureBytes: number; storedBytes: number }

/** What one argon2id hash of a password costs: KiB of memory, and passes over it. */
export type PasswordCost = Readonly<{ memoryCost: number; timeCost: number }>

/** The operator's configuration, as far as the domain needs it. */
export type Settings = Readonly<{
  /** The public address of the service, for links in responses. */
  publicUrl: string
  version: string
  signUp: boolean
  sessionDays: number
  passwordCost: PasswordCost
  /** The console offers sign-in at the operator's identity provider. */
  oidcSignIn: boolean
  secureSetup: boolean
  limits: Readonly<
    PayloadLimits & {
      privateProjects: number | null
      customSources: number | null
      projectSecrets: number
      /** How many past blocks a subscription may run over. */
      historyBlocks: number
      /** How many versions of a trigger are kept. */
      triggerVersions: number
      streams: StreamLimits
      quotas: Quotas
    }
  >
  /** Built-in networks, `common.<network>`, with the operator's endpoints. */
  networks: readonly Network[]
}>
