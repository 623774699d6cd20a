ALTER TABLE "sessions" ADD COLUMN "phase_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "last_output_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "adopted_at" timestamp with time zone;