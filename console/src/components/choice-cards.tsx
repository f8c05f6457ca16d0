import { Group, Radio, Text } from '@mantine/core'
import classes from './choice-cards.module.css'

type ChoiceCardsProps<Value extends string> = {
  label: string
  /** Where what stands above says it already, the label is for those who do not see. */
  isLabelHidden?: boolean
  choices: readonly { value: Value; label: string; about: string; isOff?: boolean }[]
  value: Value
  onChange: (value: Value) => void
  /** One below the other. */
  isList?: boolean
}

/** One of a few ways, each with a sentence about it. */
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
