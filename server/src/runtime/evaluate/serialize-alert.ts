import { storableJson } from '../../store/core/storable.ts'
import type { DraftAlert } from './fan-out/index.ts'

/** An alert's parts as JSON that the store accepts. */
export type SerializedAlert = { message: string; trace: string }

/** Serializes the alerts of one commit. An item with many listeners is serialized once. */
export function makeAlertSerializer(): (alert: DraftAlert) => SerializedAlert {
  const texts = new Map<unknown, string>()
  const textOf = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return storableJson(value)
    const text = texts.get(value) ?? storableJson(value)
    texts.set(value, text)
    return text
  }
  return (alert) => {
    const { item, raw, human, ...others } = alert.trace
    const itemText = textOf(item)
    const rawText = raw === undefined ? itemText : textOf(raw)
    const humanText = human === undefined ? rawText : textOf(human)
    const outputs = `${raw === undefined ? '' : `,"raw":${rawText}`}${human === undefined ? '' : `,"human":${humanText}`}`
    const message = storableJson(alert.message)
    const trace = `{"item":${itemText}${outputs},${storableJson(others).slice(1)}`
    return { message, trace }
  }
}
