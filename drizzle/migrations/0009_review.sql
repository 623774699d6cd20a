ALTER TABLE "tasks" ADD COLUMN "outcome" text;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "outcome_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "outcome_by" text;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "outcome_commit" text;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "outcome_base" text;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "pushed_at" timestamp with time zone;