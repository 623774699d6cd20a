CREATE TABLE "holds" (
	"subject" text NOT NULL,
	"subject_id" text NOT NULL,
	"detail" text NOT NULL,
	"until" timestamp with time zone,
	CONSTRAINT "holds_subject_subject_id_pk" PRIMARY KEY("subject","subject_id")
);
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "agent_session_id" text;