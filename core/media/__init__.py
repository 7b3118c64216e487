"""Files of messages: uploaded, sent, received and handed out."""
