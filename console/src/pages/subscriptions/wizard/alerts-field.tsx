import { Radio, SegmentedControl, Select, Skeleton, Stack, Text } from '@mantine/core'
import cards from '../../../components/choice-cards.module.css'
import { noConditions } from '../model/draft.ts'
import type { StepProps } from './step-props.ts'
import { templateOf } from './steps.ts'
import { TopicsField } from './topics-field.tsx'

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
