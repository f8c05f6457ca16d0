import { NumberInput, Select, Switch, TextInput } from '@mantine/core'
import type { StartDraft } from '../model/start.ts'

const choices: { value: StartDraft['from']; label: string }[] = [
  { value: 'next', label: 'With the next block' },
  { value: 'block', label: 'From a block' },
  { value: 'time', label: 'From a time' },
]

type StartFieldsProps = {
  start: StartDraft
  onChange: (start: StartDraft) => void
  errorOf: (path: string) => string | undefined
}

/** Where a new subscription begins. */
export function StartFields({ start, onChange, errorOf }: StartFieldsProps) {
  const put = (part: Partial<StartDraft>) => onChange({ ...start, ...part })
  return (
    <>
      <Select
        label="Begin"
        description="A subscription can first run over past blocks of its source."
        data={choices}
        value={start.from}
        allowDeselect={false}
        onChange={(from) => from !== null && put({ from })}
        error={start.from === 'next' ? errorOf('from') : undefined}
      />
      {start.from === 'block' && (
        <NumberInput
          label="First block"
          min={0}
          allowDecimal={false}
          value={start.block ?? ''}
          onChange={(block) => put({ block: typeof block === 'number' ? block : undefined })}
          error={errorOf('from')}
        />
      )}
      {start.from === 'time' && (
        <TextInput
          label="First time"
          description="In your time zone."
          type="datetime-local"
          value={start.time}
          onChange={(event) => put({ time: event.currentTarget.value })}
          error={errorOf('from')}
        />
      )}
      {start.from !== 'next' && (
        <Switch
          label="Send the alerts of past blocks"
          description="If off, they are listed in the app only."
          checked={start.delivers}
          onChange={(event) => put({ delivers: event.currentTarget.checked })}
        />
      )}
    </>
  )
}
