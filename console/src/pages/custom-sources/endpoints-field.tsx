import { ActionIcon, Button, Group, Input, Stack, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '../../components/icons.tsx'
import { type Kind, kinds } from './kinds.ts'

const endpointsMax = 10
type EndpointsFieldProps = {
  endpoints: string[]
  kind: Kind
  onChange: (endpoints: string[]) => void
  error: string | undefined
  errorOf: (path: string) => string | undefined
}

export function EndpointsField({ endpoints, kind, onChange, error, errorOf }: EndpointsFieldProps) {
  const example = kinds.find(({ value }) => value === kind)?.example
  return (
    <Input.Wrapper
      label="Endpoints"
      labelElement="div"
      description="Endpoints of one network, in order of use. If one fails, the next one is used. Keys in the URLs are kept secret."
      error={error}
    >
      <Stack gap="xs" my={6}>
        {endpoints.map((endpoint, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: endpoints have no id, and their order is their priority
          <Group key={at} gap="xs" align="flex-start" wrap="nowrap">
            <TextInput
              flex={1}
              aria-label={`Endpoint ${at + 1}`}
              placeholder={example}
              value={endpoint}
              spellCheck={false}
              error={errorOf(`endpoints.${at}`)}
              onChange={(event) => onChange(endpoints.with(at, event.currentTarget.value))}
            />
            {endpoints.length > 1 && (
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                aria-label={`Remove endpoint ${at + 1}`}
                onClick={() => onChange(endpoints.toSpliced(at, 1))}
              >
                <IconTrash />
              </ActionIcon>
            )}
          </Group>
        ))}
        {endpoints.length < endpointsMax && (
          <Group>
            <Button
              size="xs"
              variant="default"
              leftSection={<IconPlus size={14} />}
              onClick={() => onChange([...endpoints, ''])}
            >
              Add endpoint
            </Button>
          </Group>
        )}
      </Stack>
    </Input.Wrapper>
  )
}
