import * as z from 'zod'
import { Time } from './base/common.ts'
import { SourceState } from './custom-sources.ts'
import { ResourceState } from './resources.ts'
import { Severity } from './triggers/trigger-parts.ts'
import { TriggerState } from './triggers/triggers.ts'

const Count = z.number().int()

/** What needs attention in a workspace. Each list is cut after 20 entries; `count` is the whole number. */
export const WorkspaceSummary = z
  .object({
    failingResources: z.object({
      count: Count,
      list: z.array(
        z.object({
          fullname: z.string(),
          title: z.string().optional(),
          blueprint: z.string(),
          state: ResourceState,
          failingSince: Time.optional(),
          lastError: z.string().optional(),
        }),
      ),
    }),
    /** The workspace's own sources and those that its triggers use, while they are lagging or in error. */
    troubledSources: z.object({
      count: Count,
      list: z.array(
        z.object({
          fullname: z.string(),
          title: z.string().optional(),
          status: SourceState,
          message: z.string().optional(),
          since: Time,
        }),
      ),
    }),
    /** Triggers that are broken, or blocked because they match far too often. */
    troubledTriggers: z.object({
      count: Count,
      list: z.array(
        z.object({
          fullname: z.string(),
          title: z.string(),
          status: TriggerState,
          issue: z.string().optional(),
          since: Time,
        }),
      ),
    }),
    /** Alerts that fire and are not resolved, as far as the caller may see them, among the newest 10,000 that fired. */
    firingAlerts: z.object({
      count: Count,
      list: z.array(
        z.object({
          id: z.string(),
          trigger: z.string(),
          title: z.string().optional(),
          severity: Severity,
          createdAt: Time,
        }),
      ),
    }),
  })
  .meta({ id: 'WorkspaceSummary' })
