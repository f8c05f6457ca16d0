import type { TriggerSave } from '@tocsin/contract'
import { warnOfSpec } from '../../engine/check/index.ts'
import { sourceMissing, type TriggerContent, type WholeTrigger } from '../../store/triggers/triggers.ts'
import type { Asker } from '../find-source.ts'
import { behavesAlike, definitionOf } from './content.ts'
import { findListening, type Listening, listensAlike } from './sources.ts'
import { statusAfterSave, warningStatus } from './status.ts'

/** What a save stores, given what is stored now. */
export async function settle(
  asker: Asker,
  before: WholeTrigger | undefined,
  payload: TriggerSave,
  now: Date,
): Promise<TriggerContent> {
  const { providers, tags, labels, meta } = payload
  const definition = definitionOf(payload)
  const isListeningAlike = before !== undefined && listensAlike(before.definition, definition)
  const listening =
    isListeningAlike && before.status.reasonCode !== sourceMissing
      ? kept(before)
      : await findListening(asker, definition)
  const isBehavingAlike = before !== undefined && behavesAlike(before, { definition, providers })
  const warning = await warnOfSpec(payload.triggerSpec, 'triggerSpec')
  const definitionWarning = warning ? warningStatus(before, warning, now) : null
  const save = { listening, isListeningAlike, isBehavingAlike, definitionWarning, sent: payload.status }
  const status = statusAfterSave(before, save, now)
  return { definition, providers, dataSource: listening.dataSource, status, definitionWarning, tags, labels, meta }
}

/** Whoever chose the source could read it; another developer who edits the rest need not. */
function kept(before: WholeTrigger): Listening {
  return { dataSource: before.data_source }
}
