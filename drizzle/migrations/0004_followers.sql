CREATE TABLE "pool_changes" (
	"epoch" bigint NOT NULL,
	"version" bigint NOT NULL,
	"since" bigint,
	"body" jsonb NOT NULL,
	CONSTRAINT "pool_changes_epoch_version_pk" PRIMARY KEY("epoch","version")
);
--> statement-breakpoint
CREATE TABLE "pool_followers" (
	"holder" text PRIMARY KEY NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pool_told" (
	"id" integer PRIMARY KEY NOT NULL,
	"epoch" bigint NOT NULL,
	"version" bigint NOT NULL,
	"at" bigint NOT NULL,
	"is_open" boolean NOT NULL,
	"is_disk_short" boolean NOT NULL
);
--> statement-breakpoint
DROP INDEX "sessions_queued";--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "taken_in" boolean DEFAULT true NOT NULL;--> statement-breakpoint
CREATE INDEX "sessions_newcomers" ON "sessions" USING btree ("seq") WHERE "sessions"."status" = 'queued' and not "sessions"."taken_in";