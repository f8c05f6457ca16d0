import * as z from 'zod'
import { Stamped } from './base/common.ts'
import { safeJson } from './base/safe-json.ts'

/** A key that provider fields name as `{{secrets.<name>}}`. The value is write-only. */
export const ProjectSecretSave = safeJson(z.object({ value: z.string().min(1).max(8192) }))
export const ProjectSecret = z.object({ name: z.string(), ...Stamped }).meta({ id: 'ProjectSecret' })
