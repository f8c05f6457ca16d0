import { TextInput } from '@mantine/core'
import type { Issue } from '@tocsin/contract'
import { issueAt } from '../../../../components/issue-list.tsx'
import { textOf } from '../../model/definition.ts'
import type { Builder } from '../state/builder-state.ts'

/** A duration, or cron fields with their time zone. */
export function TimerFields({ builder: { state, dispatch }, issues }: { builder: Builder; issues: Issue[] }) {
  const spec = state.definition.triggerSpec
  const interval = textOf(spec?.interval)
  const timezone = textOf(spec?.timezone)
  const isCron = interval.trim().includes(' ')
  return (
    <>
      <TextInput
        label="Interval"
        description="A duration from 10s to 30d, such as 5m or 1h30m, or five cron fields, such as 0 9 * * 1-5 (weekdays at 9:00)."
        value={interval}
        onChange={(event) => dispatch({ type: 'changeSpec', part: { interval: event.currentTarget.value } })}
        error={issueAt(issues, 'triggerSpec.interval')}
      />
      {(isCron || timezone !== '') && (
        <TextInput
          label="Time zone"
          description="The zone of the cron fields, such as Europe/Paris. Leave empty for UTC."
          placeholder="UTC"
          value={timezone}
          onChange={(event) =>
            dispatch({ type: 'changeSpec', part: { timezone: event.currentTarget.value || undefined } })
          }
          error={issueAt(issues, 'triggerSpec.timezone')}
          spellCheck={false}
        />
      )}
    </>
  )
}
