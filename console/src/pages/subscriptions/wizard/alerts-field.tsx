import { Checkbox, Input, Radio, SegmentedControl, Select, Skeleton, Stack, Text } from '@mantine/core'
import cards from '../../../components/choice-cards.module.css'
import { noConditions } from '../model/draft.ts'
import type { Template } from '../model/subscription.ts'
import { type StepProps, templateOf } from './steps.ts'
import classes from './wizard.module.css'

/** Chooses topics of a template, or one trigger. */
export function AlertsField(props: StepProps) {
  const { draft, change, projectData } = props
  if (projectData.isLoading) return <Skeleton height={160} />
  if (projectData.templates.length === 0 && projectData.triggers.length === 0)
    return <Text>This project has no templates and no triggers that you can see.</Text>
  return (
    <Stack gap="md">
      {projectData.templates.length > 0 && (
        <SegmentedControl
          aria-label="Choose alerts"
          value={draft.kind}
          onChange={(kind) => change({ kind, values: {}, ...noConditions })}
          data={[
            { value: 'template', label: 'Topics' },
            { value: 'trigger', label: 'One trigger' },
          ]}
        />
      )}
      {draft.kind === 'template' ? <ByTemplate {...props} /> : <ByTrigger {...props} />}
    </Stack>
  )
}

function ByTemplate({ draft, change, projectData, errorOf }: StepProps) {
  const template = templateOf(draft, projectData)
  return (
    <>
      {projectData.templates.length > 1 && (
        <Select
          label="Template"
          data={projectData.templates.map(({ id, meta }) => ({ value: id, label: meta.title }))}
          value={draft.template}
          allowDeselect={false}
          onChange={(id) => {
            const chosen = projectData.templates.find((one) => one.id === id)
            if (chosen) change({ template: chosen.id, topics: defaultTopics(chosen), values: {} })
          }}
        />
      )}
      {template ? (
        <>
          {template.meta.description !== '' && <Text size="sm">{template.meta.description}</Text>}
          <TopicsField
            template={template}
            topics={draft.topics}
            onChange={(topics) => change({ topics })}
            error={errorOf('topics')}
          />
        </>
      ) : (
        <Text>The template was deleted. Choose another template or one trigger.</Text>
      )}
    </>
  )
}

export function defaultTopics(template: { topics: { name: string; selectedByDefault: boolean }[] }): string[] {
  return template.topics.filter(({ selectedByDefault }) => selectedByDefault).map(({ name }) => name)
}

function ByTrigger({ draft, change, projectData, errorOf }: StepProps) {
  if (projectData.triggers.length === 0) return <Text>This project has no triggers that you can see.</Text>
  return (
    <Radio.Group
      aria-label="Trigger"
      value={draft.trigger}
      onChange={(trigger) => change({ trigger, values: {}, ...noConditions })}
      error={errorOf('trigger')}
    >
      <div className={cards.cards} data-list>
        {projectData.triggers.map(({ fullname, meta }) => (
          <Radio.Card key={fullname} value={fullname} className={cards.card} aria-label={meta.title}>
            <div>
              <Text fw={550}>{meta.title}</Text>
              <Text size="sm" c="dimmed">
                {meta.description ?? <span className="mono">{fullname}</span>}
              </Text>
            </div>
          </Radio.Card>
        ))}
      </div>
    </Radio.Group>
  )
}

type TopicsFieldProps = {
  template: Template
  topics: string[]
  onChange: (topics: string[]) => void
  error: string | undefined
}

/** Topics by group. A topic without a working rule is disabled. */
function TopicsField({ template, topics, onChange, error }: TopicsFieldProps) {
  const groups = [...template.groups, { name: '', meta: { title: 'Other', description: '' } }]
  const known = new Set(template.groups.map(({ name }) => name))
  const isIn = (group: string, name: string) => (name === '' ? !known.has(group) : group === name)
  return (
    <Input.Wrapper error={error}>
      <Checkbox.Group value={topics} onChange={onChange}>
        <Stack gap="lg">
          {groups.map(({ name, meta }) => {
            const own = template.topics.filter(({ group }) => isIn(group, name))
            if (own.length === 0) return null
            return (
              <fieldset key={name} className={classes.group}>
                <legend>{meta.title}</legend>
                {meta.description !== '' && (
                  <Text size="sm" c="dimmed">
                    {meta.description}
                  </Text>
                )}
                <Stack gap="xs" mt="xs">
                  {own.map((topic) => (
                    <TopicBox key={topic.name} topic={topic} isAvailable={isAvailable(template, topic.name)} />
                  ))}
                </Stack>
              </fieldset>
            )
          })}
        </Stack>
      </Checkbox.Group>
    </Input.Wrapper>
  )
}

function TopicBox({ topic: { name, meta }, isAvailable }: { topic: Template['topics'][number]; isAvailable: boolean }) {
  return (
    <Checkbox
      value={name}
      label={meta.title}
      description={isAvailable ? meta.description : 'Not available: this topic has no working rule.'}
      disabled={!isAvailable}
    />
  )
}

function isAvailable({ rules }: Template, name: string): boolean {
  return rules.some(({ topic, deprecated, issue }) => topic === name && !deprecated && issue === undefined)
}
