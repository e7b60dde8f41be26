import { Predicate } from "effect"
import { testType } from "../../domain/Webhook.ts"
import answers from "./answers.json" with { type: "json" }
import { withCodeSample } from "./codeSample.ts"
import { exampleName } from "./exampleName.ts"
import { mapMembers, mapOperations, type Members } from "./json.ts"
import { type Sample, samples } from "./samples.ts"

const recorded: Members = answers

const exampleOf = (parameter: Members, { parameters = {} }: Sample): unknown => {
  const own = parameters[`${parameter.name}`]
  const { examples, type } = Predicate.isObject(parameter.schema) ? parameter.schema : {}
  if (own !== undefined) return type === "number" || type === "integer" ? Number(own) : own
  return Array.isArray(examples) ? examples[0] : undefined
}

/** A parameter with its example. Scalar sends every parameter that has one, unless it is told to leave it out. */
const illustrateParameter = (sample: Sample) => (parameter: unknown): unknown => {
  if (!Predicate.isObject(parameter)) return parameter
  const isSent = parameter.required === true || `${parameter.name}` in (sample.parameters ?? {})
  const example = { value: exampleOf(parameter, sample), ...(isSent ? {} : { "x-disabled": true }) }
  return { ...parameter, examples: { [exampleName]: example } }
}

const withExample = (body: unknown, value: unknown): unknown =>
  value === undefined || !Predicate.isObject(body) ? body : {
    ...body,
    content: mapMembers(
      body.content,
      (content) =>
        Predicate.isObject(content) ? { ...content, examples: { [exampleName]: { value } } } : content,
    ),
  }

/** What a body of each type of content is an example of: an answer was recorded in one or several. */
const withAnswer = (response: unknown, recording: unknown): unknown =>
  Predicate.isObject(response) && Predicate.isObject(recording)
    ? {
      ...response,
      content: mapMembers(
        response.content,
        (content, type) =>
          Predicate.isObject(content) && type in recording
            ? { ...content, examples: { [exampleName]: { value: recording[type] } } }
            : content,
      ),
    }
    : response

const illustrateOperation = (operation: Members): Members => {
  const sample = samples[`${operation.operationId}`] ?? {}
  const recording = recorded[`${operation.operationId}`]
  return {
    ...operation,
    parameters: Array.isArray(operation.parameters)
      ? operation.parameters.map(illustrateParameter(sample))
      : operation.parameters,
    ...("requestBody" in operation ? { requestBody: withExample(operation.requestBody, sample.body) } : {}),
    responses: mapMembers(
      operation.responses,
      (response, status) =>
        status.startsWith("2") && Predicate.isObject(response) && "content" in response
          ? withAnswer(response, recording)
          : response,
    ),
  }
}

/** The paths, with a request of each operation that works, and its answer. */
export const illustrate = (paths: unknown): unknown =>
  mapOperations(
    paths,
    (operation, path, method) => withCodeSample(illustrateOperation(operation), path, method),
  )

/** What a webhook is sent: the swap of a look-up, as an event of the type; and a test, which has none. */
export const recordedMessage = (type: string): unknown => {
  const { getStatusById } = answers
  const data = type === testType ? {} : getStatusById["application/json"]
  return { type, timestamp: "2026-07-29T14:04:24+00:00", data }
}
