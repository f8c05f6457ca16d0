import type { TimerSpec } from '@tocsin/contract'
import type { SourceItem } from '../../base/source-item.ts'
import { scheduleOf } from './schedule.ts'

/** A tick of a timer, as triggers see it. */
export function timerItem(atMs: number): SourceItem {
  return { now: new Date(atMs).toISOString(), timestampMs: atMs }
}

/** The tick that a test uses: now for a duration, the last scheduled time for cron fields. */
export function sampleTick(spec: TimerSpec, nowMs: number): SourceItem {
  const schedule = scheduleOf(spec)
  return timerItem(schedule?.isCron ? schedule.lastTickMs(nowMs) : nowMs)
}
