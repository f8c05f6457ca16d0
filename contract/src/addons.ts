import * as z from 'zod'
import { Stamped, Title } from './base/common.ts'

export const AddonState = z.enum([
  'draft',
  'pending_activation',
  'active',
  'past_due',
  'cancel_at_period_end',
  'canceled',
])

/** Every state but `canceled` blocks a transfer of the project. */
export const blockingAddonStates = AddonState.options.filter((state) => state !== 'canceled')

/** The service uses only the state. The name helps people to tell several add-ons apart. */
export const AddonCreate = z.object({ name: Title.default('Add-on'), state: AddonState.default('draft') })
export const AddonSave = z.object({ state: AddonState })
export const AddonView = z
  .object({ id: z.string(), project: z.string(), name: z.string(), state: AddonState, ...Stamped })
  .meta({ id: 'ProjectAddon' })
