import type { Facts } from "./facts.ts"

/** The user of the base image: nobody's, without a shell. */
const user = "65532:65532"

/** Where the records are kept in the container. */
export const dataFolder = "/data"

/** The program in the container and on a machine. */
export const program = "/usr/local/bin/swap-broker"

/** The program's own probe, because the image has neither a shell nor curl. */
export const probe = [program, "cli", "ready"]

const json = (words: ReadonlyArray<string>): string => JSON.stringify(words)

/**
 * The recipe of an image, for a checkout of the project: it compiles the binary and takes it alone along. No setting
 * stands in it but those that a container needs: it listens for other containers, too.
 */
export const containerfile = ({ graceSeconds, port }: Facts): string =>
  `# docker build --tag swap-broker --file - . < THIS FILE
# docker run --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges --stop-timeout ${graceSeconds} \\
#   --env-file FILE --volume swap-broker:${dataFolder} --publish 127.0.0.1:${port}:${port} swap-broker

FROM docker.io/denoland/deno:debian-${Deno.version.deno} AS build
WORKDIR /build
COPY deno.json deno.lock ./
COPY migrations ./migrations
COPY src ./src
RUN ["deno", "task", "compile", "compiled", "/build/swap-broker"]
RUN ["mkdir", "/build/empty"]

FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=build /build/swap-broker ${program}
COPY --from=build --chown=${user} /build/empty ${dataFolder}
USER ${user}
WORKDIR ${dataFolder}
VOLUME ${dataFolder}
ENV HOST=0.0.0.0 PORT=${port} DATA_DIR=${dataFolder} LOG_FORMAT=json
EXPOSE ${port}
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s CMD ${json(probe)}
ENTRYPOINT ${json([program])}
CMD ["start"]
`
