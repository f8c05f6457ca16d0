import { Group, Radio, Text } from '@mantine/core'
import classes from './choice-cards.module.css'

type ChoiceCardsProps<Value extends string> = {
  label: string
  /** Shows the label to screen readers only. */
  isLabelHidden?: boolean
  choices: readonly { value: Value; label: string; about: string; isOff?: boolean }[]
  value: Value
  onChange: (value: Value) => void
  /** Shows the cards in one column. */
  isList?: boolean
}

/** A choice between a few options, each with a description. */
export function ChoiceCards<Value extends string>(props: ChoiceCardsProps<Value>) {
  const { label, isLabelHidden, choices, value, onChange, isList } = props
  return (
    <Radio.Group {...(isLabelHidden ? { 'aria-label': label } : { label })} value={value} onChange={onChange}>
      <div className={classes.cards} data-list={isList || undefined}>
        {choices.map((choice) => (
          <Radio.Card
            key={choice.value}
            value={choice.value}
            className={classes.card}
            aria-label={choice.label}
            disabled={choice.isOff === true}
          >
            <Group wrap="nowrap" align="flex-start" gap="sm">
              <Radio.Indicator mt={2} />
              <div>
                <Text fw={550}>{choice.label}</Text>
                <Text size="sm" c="dimmed">
                  {choice.about}
                </Text>
              </div>
            </Group>
          </Radio.Card>
        ))}
      </div>
    </Radio.Group>
  )
}
