import { dataFolder, probe } from "./container.ts"
import type { Facts } from "./facts.ts"

/** The servers beside the service, pinned. */
const images = {
  postgres: "docker.io/library/postgres:17.6-bookworm",
  redis: "docker.io/valkey/valkey:8.1.3-bookworm",
}

/** The names of the database and of its user. */
const database = "swap_broker"

/**
 * A compose file: the service with its Postgres server, and with the profile `replicas` a server of the Redis kind. The
 * one value that it needs, the password of the database, is never in it.
 */
export const composeFile = ({ graceSeconds, port }: Facts): string =>
  `# compose.yaml, beside the Containerfile of "cli deploy docker" and the swap-broker.env of "cli deploy env"
# POSTGRES_PASSWORD=$(openssl rand -hex 24), kept in the file .env (chmod 600), then: docker compose up --detach
# Several replicas: docker compose --profile replicas up --detach --scale broker=3, with REDIS_URL=redis://redis:6379 in
# swap-broker.env, a proxy in front, and no port published here.
name: swap-broker

services:
  broker:
    build:
      context: .
      dockerfile: Containerfile
    env_file: swap-broker.env
    environment:
      DATABASE_URL: "postgres://${database}:\${POSTGRES_PASSWORD:?set it in .env}@postgres/${database}"
    depends_on:
      postgres:
        condition: service_healthy
    ports:
      - "127.0.0.1:${port}:${port}"
    healthcheck:
      test: ${JSON.stringify(["CMD", ...probe])}
      interval: 30s
      timeout: 10s
      start_period: 60s
    stop_signal: SIGTERM
    stop_grace_period: ${graceSeconds}s
    restart: unless-stopped
    read_only: true
    tmpfs:
      - /tmp
    volumes:
      - broker-data:${dataFolder}
    cap_drop:
      - ALL
    security_opt:
      - no-new-privileges:true

  postgres:
    image: ${images.postgres}
    environment:
      POSTGRES_USER: ${database}
      POSTGRES_DB: ${database}
      POSTGRES_PASSWORD: "\${POSTGRES_PASSWORD:?set it in .env}"
    healthcheck:
      test: ["CMD", "pg_isready", "--username", "${database}", "--dbname", "${database}"]
      interval: 5s
      timeout: 5s
      retries: 12
    stop_grace_period: 60s
    restart: unless-stopped
    volumes:
      - postgres-data:/var/lib/postgresql/data
    security_opt:
      - no-new-privileges:true

  redis:
    profiles:
      - replicas
    image: ${images.redis}
    command: ["valkey-server", "--save", "", "--appendonly", "no"]
    healthcheck:
      test: ["CMD", "valkey-cli", "ping"]
      interval: 5s
      timeout: 5s
      retries: 12
    restart: unless-stopped
    read_only: true
    security_opt:
      - no-new-privileges:true

volumes:
  broker-data:
  postgres-data:
`
