import * as z from 'zod'
import { FreeForm, Fullname, IssueView, Title } from './base/common.ts'
import { safeJson } from './base/safe-json.ts'
import { ChannelPreview, Message } from './subscriptions.ts'
import { unfinished } from './triggers/trigger-definition.ts'
import { Defaults, Severity } from './triggers/trigger-parts.ts'
import { TriggerSpec } from './triggers/trigger-spec.ts'

/** The templates of a trigger, and the output and item that they are rendered with. */
export const MessagePreview = safeJson(
  z.object({
    defaults: unfinished(Defaults),
    output: z.object({ raw: z.unknown(), human: z.unknown() }),
    input: FreeForm,
    trigger: Fullname,
    /** The title of the trigger. A message without a title of its own has it. */
    title: Title,
    /** The source of the item, for templates that show tokens and links of its network. */
    triggerSpec: unfinished(TriggerSpec).nullish(),
    project: Fullname.optional(),
  }),
)

/** The message, and the body that each channel would send. A field whose template fails is left out and has an issue. */
export const MessagePreviewResult = z
  .object({
    valid: z.boolean(),
    issues: z.array(IssueView),
    message: Message.optional(),
    severity: Severity.optional(),
    channels: z.array(ChannelPreview),
  })
  .meta({ id: 'MessagePreviewResult' })
